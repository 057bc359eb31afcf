import { invalidParameter } from '@platen/kernel';

export const TYPES = ['text', 'html', 'markdown', 'number', 'url'] as const;

/** The value of one name. */
export interface Rule {
  /** For errors: `extract.products.fields.price`. */
  readonly place: string;
  readonly selector: string;
  readonly attribute?: string;
  readonly type?: (typeof TYPES)[number];
  readonly all?: boolean;
  readonly required?: boolean;
  readonly fields?: Rules;
}

export type Rules = Readonly<Record<string, Rule>>;

const MOST_DEPTH = 5;
const MOST_RULES = 1000;

const MEMBERS: Readonly<Record<string, readonly [expected: string, isValid: (value: unknown) => boolean]>> = {
  selector: ['a CSS selector', isText],
  attribute: ['the name of an attribute', isText],
  type: [`one of: ${TYPES.join(', ')}`, (value) => TYPES.some((type) => type === value)],
  all: ['true or false', (value) => typeof value === 'boolean'],
  required: ['true or false', (value) => typeof value === 'boolean'],
  fields: ['an object whose values are CSS selectors, or objects with "selector"', isObject],
};

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(detail: string): never {
  throw invalidParameter('extract', detail);
}

/**
 * The rules of `extract`. A fragment cannot refer to itself, so that they are checked here.
 *
 * @throws PlatenError `invalid_parameters` with the place of the error
 */
export function parseRules(value: string | object): Rules {
  const count = { rules: 0 };
  return parseFields(typeof value === 'string' ? parseJson(value) : value, { place: 'extract', depth: 1, count });
}

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Refused below.
  }
  return refuse('"extract" must be an object, or its JSON text: {"title": "h1"}');
}

/** All rules, with those of their fields. */
export function listRules(rules: Rules): readonly Rule[] {
  return Object.values(rules).flatMap((rule) => [rule, ...listRules(rule.fields ?? {})]);
}

interface Level {
  readonly place: string;
  readonly depth: number;
  readonly count: { rules: number };
}

function parseFields(fields: object, { place, depth, count }: Level): Rules {
  const entries = Object.entries(fields);
  if (entries.length === 0) refuse(`"${place}" is empty: it needs a name with a CSS selector`);
  if (depth > MOST_DEPTH) refuse(`"${place}" is nested too deeply: at most ${String(MOST_DEPTH)} levels`);
  count.rules += entries.length;
  if (count.rules > MOST_RULES) refuse(`"extract" has more than ${String(MOST_RULES)} names`);
  return Object.fromEntries(entries.map(([name, value]) => [name, parseRule(value, { place: `${place}.${name}`, depth, count })]));
}

function parseRule(value: unknown, level: Level): Rule {
  const { place } = level;
  if (typeof value === 'string' && isText(value)) return { place, selector: value };
  if (!isObject(value)) return refuse(`"${place}" must be a CSS selector, or an object with "selector"`);
  for (const [name, member] of Object.entries(value)) {
    const [expected, isValid] =
      (Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined) ??
      refuse(`"${place}" must not have "${name}": valid are ${Object.keys(MEMBERS).join(', ')}`);
    if (!isValid(member)) refuse(`"${place}.${name}" must be ${expected}`);
  }
  if (value['selector'] === undefined) refuse(`"${place}" needs "selector"`);
  // Checked above.
  const { fields, ...rule } = value as unknown as Omit<Rule, 'place' | 'fields'> & { readonly fields?: object };
  const { attribute, type } = rule;
  if (fields !== undefined && (attribute ?? type) !== undefined)
    refuse(`"${place}.fields" cannot be combined with "${attribute === undefined ? 'type' : 'attribute'}": each field has its own`);
  if (attribute !== undefined && (type === 'html' || type === 'markdown'))
    refuse(`"${place}.type" must be text, number or url beside "attribute"`);
  if (fields === undefined) return { ...rule, place };
  return { ...rule, place, fields: parseFields(fields, { ...level, place: `${place}.fields`, depth: level.depth + 1 }) };
}
