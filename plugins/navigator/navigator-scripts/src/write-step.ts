import { type Modifier, parseKeys } from '@platen/lib-actor';
import type { Script, ScriptStep, Target } from './script.js';
import type { SourceText } from './source-text.js';

/** How a form of scripts says it: expressions of promises, of which elements are expressions. */
export interface Dialect {
  readonly locate: (target: Target, page: string) => string;
  /** An option of an ARIA list. */
  readonly option: (list: Target, page: string, value: string) => string;
  readonly click: (element: string, page: string, how: ClickOptions) => string;
  readonly fill: (element: string, value: string) => string;
  readonly check: (element: string, state: 'true' | 'false') => string;
  readonly select: (element: string, values: string) => string;
  readonly drag: (from: string, to: string, page: string) => string;
  readonly upload: (element: string, files: string) => string;
  /** To the input of the file chooser that the element opens. */
  readonly choose: (element: string, files: string, page: string) => string;
  readonly focus: (element: string) => string;
  readonly press: (page: string, modifiers: readonly Modifier[], key: string) => string;
  readonly wheel: (page: string, right: number, down: number) => string;
  readonly wait: (page: string, ms: number) => string;
  readonly popup: (page: string) => string;
  readonly load: (page: string) => string;
  readonly closed: (page: string) => string;
  readonly arrive: (page: string, pattern: string) => string;
}

export interface ClickOptions {
  readonly button?: string;
  readonly count?: number;
  readonly modifiers?: readonly Modifier[];
}

/** `t2` is `page2`. */
export function pageName(tab: string): string {
  return tab === 't1' ? 'page' : `page${tab.slice(1)}`;
}

/** Statements of one step: what the action opens is waited for from before it. */
export function writeStep(step: ScriptStep, { profile }: Script, { dialect, text }: StepForm) {
  const page = pageName(step.tab);
  const { why = '', kind } = step.action;
  const lines = [...(why === '' ? [] : [text.comment(why)]), ...(step.isSwitch ? [`await ${page}.bringToFront();`] : [])];
  const expressions = new StepWriter(step, profile, { dialect, text }).write();
  const act = expressions.at(-1);
  if (act === undefined) return [...lines, `// Omitted: "${kind}", since its element could not be described.`];
  const answers = step.answers.map(
    ({ accept, text: said }) => `{ accept: ${String(accept)}${said === undefined ? '' : `, text: ${text.quote(said)}`} }`,
  );
  const waits = [
    ...(step.opens === undefined ? [] : [dialect.popup(page)]),
    ...(answers.length === 0 ? [] : [`answerDialogs(${page}, [${answers.join(', ')}])`]),
    ...(step.closes ? [dialect.closed(page)] : step.arrival === 'document' ? [dialect.load(page)] : []),
  ];
  const all = [...waits, step.closes ? `${act}.catch(() => undefined)` : act].map((one) => `  ${one},`);
  const opened = step.opens === undefined ? '' : `const [${pageName(step.opens)}] = `;
  const isInput = kind !== 'hover' && kind !== 'wait' && kind !== 'tab' && (step.action.kind !== 'fill' || step.action.submit === true);
  return [
    ...lines,
    ...expressions.slice(0, -1).map((one) => `await ${one};`),
    ...(waits.length === 0 ? [`await ${act};`] : [`${opened}await Promise.all([`, ...all, ']);']),
    ...(typeof step.arrival === 'object' && !step.closes ? [`await ${dialect.arrive(page, step.arrival.pattern)};`] : []),
    ...(step.opens === undefined ? [] : [`watchRequests(${pageName(step.opens)});`]),
    ...(isInput && !step.closes ? [`await rest(${pageName(step.opens ?? step.tab)});`] : []),
  ];
}

/** Share of the viewport that is scrolled by default, as the actor does. */
const SCROLL_SHARE = 0.8;

interface StepForm {
  readonly dialect: Dialect;
  readonly text: SourceText;
}

class StepWriter {
  readonly #step: ScriptStep;
  readonly #size: Pick<Script['profile'], 'width' | 'height'>;
  readonly #page: string;
  readonly #dialect: Dialect;
  readonly #text: SourceText;

  constructor(step: ScriptStep, size: Pick<Script['profile'], 'width' | 'height'>, { dialect, text }: StepForm) {
    [this.#step, this.#size, this.#page] = [step, size, pageName(step.tab)];
    [this.#dialect, this.#text] = [dialect, text];
  }

  /** Expressions of promises; the last one has the effect. None if an element is missing. */
  write(): readonly string[] {
    const { action } = this.#step;
    switch (action.kind) {
      case 'goto':
        return [`${this.#page}.goto(${this.#text.quote(action.url)})`];
      case 'back':
        return [`${this.#page}.goBack()`];
      case 'tab':
        return [`${this.#page}.close()`];
      case 'wait':
        return [this.#dialect.wait(this.#page, action.ms)];
      case 'scroll':
        return this.#scroll(action);
      case 'drag':
        return this.#on(action.from, (from) =>
          this.#on(action.to, (to) => [this.#dialect.drag(this.#find(from), this.#find(to), this.#page)]),
        );
      case 'press':
        return action.ref === undefined
          ? [this.#press(action.keys)]
          : this.#on(action.ref, (at) => [this.#dialect.focus(this.#find(at)), this.#press(action.keys)]);
      default:
        return 'ref' in action ? this.#on(action.ref, (at) => this.#act(action, at)) : [];
    }
  }

  #act(action: ScriptStep['action'], at: Target): readonly string[] {
    const [dialect, text, element] = [this.#dialect, this.#text, this.#find(at)];
    switch (action.kind) {
      case 'click':
        return [dialect.click(element, this.#page, action)];
      case 'hover':
        return [`${element}.hover()`];
      case 'fill': {
        const fill = dialect.fill(element, text.value(action.value, this.#step.written));
        return action.submit === true ? [fill, this.#press('Enter')] : [fill];
      }
      case 'check':
        return [dialect.check(element, action.on ? 'true' : 'false')];
      case 'select': {
        if (at.facts.isNativeSelect) return [dialect.select(element, action.values.map((value) => text.value(value)).join(', '))];
        const options = action.values.map((value) => `${dialect.option(at, this.#page, value)}.click()`);
        return at.facts.isOpen ? options : [`${element}.click()`, ...options];
      }
      case 'upload': {
        const files = action.files.map((name) => text.quote(`./files/${name}`)).join(', ');
        return [at.facts.isFileInput ? dialect.upload(element, files) : dialect.choose(element, files, this.#page)];
      }
      default:
        return [];
    }
  }

  #scroll({ ref, dir, amount }: Extract<ScriptStep['action'], { readonly kind: 'scroll' }>): readonly string[] {
    const { width, height } = this.#size;
    const isVertical = dir === 'up' || dir === 'down';
    const by = (amount ?? Math.round((isVertical ? height : width) * SCROLL_SHARE)) * (dir === 'up' || dir === 'left' ? -1 : 1);
    const wheel = this.#dialect.wheel(this.#page, isVertical ? 0 : by, isVertical ? by : 0);
    const { point = [Math.round(width / 2), Math.round(height / 2)] } = this.#step;
    if (ref === undefined) return [`${this.#page}.mouse.move(${point.join(', ')})`, wheel];
    return this.#on(ref, (at) => [`${this.#find(at)}.hover()`, wheel]);
  }

  #press(keys: string): string {
    const { modifiers, key } = parseKeys(keys);
    return this.#dialect.press(this.#page, modifiers, key.key === ' ' ? 'Space' : key.key);
  }

  #on(ref: string, write: (target: Target) => readonly string[]): readonly string[] {
    const target = this.#step.targets.get(ref);
    return target === undefined ? [] : write(target);
  }

  #find(target: Target): string {
    return this.#dialect.locate(target, this.#page);
  }
}
