import { parseKeys } from '@platen/lib-actor';
import type { StepsParams } from './params.js';
import { parseSelector, type Selector } from './selector.js';

type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';

export type Verb = keyof typeof VERBS;

/** One step as it was given, with its selectors parsed. */
export interface Step {
  /** `steps[2]`. */
  readonly place: string;
  readonly verb: Verb;
  /** Its value: a selector, a key, a number of seconds ... */
  readonly given: string | number | boolean;
  readonly target?: Selector;
  /** Of a drag. */
  readonly to?: Selector;
  /** Where to press or type. */
  readonly at?: Selector;
  readonly options: StepOptions;
}

interface StepOptions {
  readonly value?: string | readonly string[] | { readonly credential: string };
  readonly file?: string | readonly string[];
  readonly text?: string;
  readonly close?: boolean;
  readonly dir?: 'up' | 'down' | 'left' | 'right';
  readonly amount?: number;
  readonly button?: 'left' | 'middle' | 'right';
  readonly count?: 1 | 2 | 3;
  readonly modifiers?: readonly Modifier[];
}

interface Form {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** Its value is a selector. */
  readonly selects?: boolean;
}

const VERBS = {
  click: { selects: true, optional: ['button', 'count', 'modifiers'] },
  fill: { selects: true, required: ['value'] },
  select: { selects: true, required: ['value'] },
  check: { selects: true },
  uncheck: { selects: true },
  hover: { selects: true },
  press: { optional: ['at'] },
  type: { optional: ['at'] },
  scroll: { selects: true, optional: ['dir', 'amount'] },
  wait: {},
  goto: {},
  back: {},
  drag: { selects: true, required: ['to'] },
  attach: { selects: true, required: ['file'] },
  dialog: { optional: ['text'] },
  tab: { optional: ['close'] },
} as const satisfies Readonly<Record<string, Form>>;

const NAMES = Object.keys(VERBS).join(', ');

/** Refuses with a 400 that names the key. */
type Refuse = (parameter: string, detail: string) => never;

/** The steps, then the clicks. */
export function parseSteps({ steps = [], click_selector: clicks = [] }: StepsParams, refuse: Refuse): readonly Step[] {
  return [
    ...steps.map((step, index) => parseStep(step, { place: `steps[${String(index)}]`, refuse })),
    ...clicks.map((click, index) => parseStep({ click }, { place: `click_selector[${String(index)}]`, refuse })),
  ];
}

interface Place {
  readonly place: string;
  readonly refuse: Refuse;
}

function parseStep(step: Readonly<Record<string, unknown>>, { place, refuse: refuseKey }: Place): Step {
  const refuse = (what: string) => refuseKey(place.replace(/\[.*/, ''), `"${place}" ${what}`);
  const given = Object.entries(step).filter(([, value]) => value !== undefined && value !== null);
  const [found, ...others] = given.filter(([name]) => Object.hasOwn(VERBS, name));
  if (found === undefined) return refuse(`needs one of: ${NAMES}`);
  if (others.length > 0) return refuse(`has "${found[0]}" and "${others.map(([name]) => name).join('" and "')}": a step is one of them`);
  // One of its keys, and a value of its type by the schema.
  const [verb, value] = found as [Verb, Step['given']];
  const { required = [], optional = [], selects = false }: Form = VERBS[verb];
  const missing = required.find((name) => step[name] === undefined || step[name] === null);
  if (missing !== undefined) refuse(`needs "${missing}" beside "${verb}"`);
  const wrong = given.find(([name]) => name !== verb && !required.includes(name) && !optional.includes(name));
  if (wrong !== undefined) refuse(`has "${wrong[0]}", which does not belong to "${verb}"`);
  const { to, at, ...options } = Object.fromEntries(given.filter(([name]) => name !== verb));
  const select = (text: unknown): Selector => {
    try {
      return parseSelector(String(text));
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
  };
  if (verb === 'press') checkKeys(String(value), refuse);
  const isTarget = (selects && !(verb === 'scroll' && value === 'bottom')) || (verb === 'wait' && !isPlain(value));
  return {
    ...{ place, verb, given: value },
    ...(isTarget ? { target: select(value) } : {}),
    ...(to === undefined ? {} : { to: select(to) }),
    ...(at === undefined ? {} : { at: select(at) }),
    options,
  };
}

/** A wait for seconds or for a URL. */
function isPlain(value: Step['given']): boolean {
  return typeof value !== 'string' || value.includes('://');
}

function checkKeys(text: string, refuse: (what: string) => never): void {
  try {
    parseKeys(text);
  } catch (error) {
    refuse(error instanceof Error ? `has a key that does not exist: ${error.message}` : String(error));
  }
}

/** The CSS in the selectors of the steps, with the place of each. */
export function listCss(steps: readonly Step[]): readonly { readonly place: string; readonly css: string }[] {
  return steps.flatMap(({ place, target = [], to = [], at = [] }) =>
    [...target, ...to, ...at].flatMap((part) => (part.by === 'css' ? [{ place, css: part.text }] : [])),
  );
}

/** One line about a step, for errors: without its value. `redact` comes first, so that no part of a credential remains. */
export function describeStep({ place, verb, given }: Step, redact: (text: string) => string): string {
  return `${place} (${verb}${verb === 'type' || verb === 'back' ? '' : ` ${shorten(redact(String(given)), MAX_GIVEN)}`})`;
}

const MAX_GIVEN = 120;

export function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
