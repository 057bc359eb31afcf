import type { Locator, Place, Redact, Script, ScriptStep, Target } from './script.js';
import { attributeSelector } from './source-text.js';

/** One object for the parameter `steps`. */
type Step = Readonly<Record<string, unknown>>;

/** The navigation as a list for the parameter `steps`: a JSON array with a step on each line. */
export function writeSteps({ steps, data, assertion }: Script, redact: Redact): string {
  const texts = new ActionTexts(data, redact);
  // The first one loads the target.
  const [load, ...actions] = steps;
  const list = actions.flatMap((step) => [
    ...(step.isSwitch ? [tabStep(step.tab)] : []),
    ...toSteps(step, texts),
    ...step.answers.map(({ accept, text }) => ({
      dialog: accept ? 'accept' : 'dismiss',
      ...(text !== undefined && { text: redact(text) }),
    })),
  ]);
  const last = steps.at(-1) ?? load;
  const front = last?.opens ?? last?.tab;
  const all = assertion === undefined || assertion.tab === front ? list : [...list, tabStep(assertion.tab)];
  return `[\n${all.map((step) => `  ${JSON.stringify(step)}`).join(',\n')}\n]\n`;
}

/** `t2` is 2. */
function tabStep(tab: string): { readonly tab: number } {
  return { tab: Number(tab.slice(1)) };
}

/** Texts without credentials. */
class ActionTexts {
  readonly #data: Script['data'];
  readonly #redact: Redact;

  constructor(data: Script['data'], redact: Redact) {
    this.#data = data;
    this.#redact = redact;
  }

  plain(text: string): string {
    return this.#redact(text);
  }

  /** Of `credential:NAME` the name, of other names the values: a name without one is a literal of the request's own `steps`. */
  value(value: string, written = ''): string | { readonly credential: string } {
    const [, from, rest = ''] = /^(credential|data|write):(.*)$/s.exec(value) ?? [];
    if (from === 'credential') return { credential: rest.trim() };
    return this.#redact(from === 'write' ? written : from === 'data' ? (this.#data.get(rest.trim()) ?? rest) : value);
  }
}

/** None for an element that could not be described. */
function toSteps({ action, targets, written }: ScriptStep, texts: ActionTexts): readonly Step[] {
  const selectorOf = (ref: string | undefined) => {
    const target = ref === undefined ? undefined : targets.get(ref);
    return target && writeSelector(target);
  };
  const at = 'ref' in action ? selectorOf(action.ref) : undefined;
  // Elsewhere it would be another action.
  if ('ref' in action && at === undefined) return [];
  const on = (step: (selector: string) => Step): readonly Step[] => (at === undefined ? [] : [step(at)]);
  switch (action.kind) {
    case 'click': {
      const { button, count, modifiers } = action;
      return on((click) => ({ click, button, count, modifiers }));
    }
    case 'hover':
      return on((hover) => ({ hover }));
    case 'fill':
      return [...on((fill) => ({ fill, value: texts.value(action.value, written) })), ...enterOf(action, at)];
    case 'type': {
      const type = texts.value(action.value, written);
      return [{ type, at }, ...enterOf(action, typeof type === 'string' && type.includes('\t') ? undefined : at)];
    }
    case 'select': {
      const values = action.values.map((value) => texts.value(value));
      return on((select) => ({ select, value: values.length === 1 ? values[0] : values }));
    }
    case 'check':
      return on((box) => (action.on ? { check: box } : { uncheck: box }));
    case 'press':
      return [{ press: action.keys, at }];
    case 'scroll':
      return [{ scroll: at ?? 'html', dir: action.dir, amount: action.amount }];
    case 'drag': {
      const [drag, to] = [selectorOf(action.from), selectorOf(action.to)];
      return drag === undefined || to === undefined ? [] : [{ drag, to }];
    }
    case 'upload':
      return on((attach) => ({ attach, file: action.files.length === 1 ? action.files[0] : action.files }));
    case 'wait':
      return [{ wait: action.ms / 1000 }];
    case 'goto':
      return [{ goto: texts.plain(action.url) }];
    case 'back':
      return [{ back: true }];
    case 'tab':
      return [{ ...tabStep(action.tab), close: true }];
    default:
      return [];
  }
}

/** The page may have moved the focus once it has settled. A typed tab has moved it: then without `at`. */
function enterOf({ submit }: { readonly submit?: boolean }, at: string | undefined): readonly Step[] {
  return submit === true ? [{ press: 'Enter', at }] : [];
}

const DEEP = ' >>> ';

/** The element in its frames. */
function writeSelector(target: Target): string {
  return [...target.frames, target].map(writePlace).join(DEEP);
}

/** The last locator is a path, which any element has. */
function writePlace({ locators }: Place): string {
  const selectors = locators.map(writeLocator);
  // A text with the sign for another tree would be split.
  return selectors.find((selector, index) => index === selectors.length - 1 || !selector.includes(DEEP.trim())) ?? '';
}

function writeLocator(locator: Locator): string {
  switch (locator.by) {
    case 'role':
      return `role=${locator.role}[name="${locator.name.replace(/["\\]/g, '\\$&')}"]`;
    case 'attribute':
      return attributeSelector(locator.name, locator.value);
    case 'css':
      return locator.parts.join(DEEP);
    default:
      return `${locator.by}=${locator.text}`;
  }
}
