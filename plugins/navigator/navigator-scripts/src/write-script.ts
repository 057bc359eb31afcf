import { parseKeys } from '@platen/lib-actor';
import type { Dialect } from './dialect.js';
import type { Redact, Script, ScriptStep, Target } from './script.js';
import { createSourceText, type SourceText } from './source-text.js';

/** A script that replays the navigation in a browser tool. */
export function writeScript(script: Script, dialect: Dialect, redact: Redact): string {
  const text = createSourceText(redact, script.data);
  const body = [
    ...dialect.setup,
    'watchRequests(page);',
    ...openClosedRoots(script, dialect.initScript),
    ...script.steps.flatMap((step) => new StepWriter(step, { size: script.profile, dialect, text }).write()),
    ...writeAssertion(script, dialect, text),
  ];
  const called = Object.entries(dialect.functions).filter(([name]) => body.some((line) => line.includes(`${name}(`)));
  const program = dialect.program({
    script,
    text,
    constants: writeConstants(script, text),
    body: body.map((line) => `  ${line}`),
    calls: new Set(called.map(([name]) => name)),
  });
  return [...program, ...called.map(([, source]) => source), ''].join('\n');
}

/** The tools find elements in open shadow trees only. */
function openClosedRoots({ steps }: Pick<Script, 'steps'>, initScript: string): readonly string[] {
  const places = steps.flatMap(({ targets }) => [...targets.values()].flatMap((target) => [target, ...target.frames]));
  if (places.every(({ shadow }) => shadow !== 'closed')) return [];
  return [
    '// Elements in closed shadow trees can be found only if these are opened.',
    `await ${initScript}(() => {`,
    '  const { attachShadow } = Element.prototype;',
    '  Element.prototype.attachShadow = function (options) {',
    "    return attachShadow.call(this, { ...options, mode: 'open' });",
    '  };',
    '});',
  ];
}

function writeAssertion({ assertion }: Pick<Script, 'assertion'>, dialect: Dialect, { quote }: SourceText): readonly string[] {
  if (assertion === undefined) return ['// The navigation ended here, without having reached its goal.'];
  const { tab, pattern, selector = '' } = assertion;
  const page = pageName(tab);
  return pattern === undefined ? dialect.expectSelector(page, quote(selector)) : dialect.expectUrl(page, pattern);
}

function writeConstants({ credentials, data }: Pick<Script, 'credentials' | 'data'>, { quote }: SourceText): readonly string[] {
  const variables = credentials.map((name) => [JSON.stringify(name), `CRED_${name.toUpperCase().replace(/[^A-Z\d]/g, '_')}`] as const);
  const checked = [
    '',
    '/** From environment variables. */',
    'const credentials = {',
    ...variables.map(([name, variable]) => `  ${name}: process.env.${variable} ?? '',`),
    '};',
    `for (const name of [${variables.map(([, variable]) => `'${variable}'`).join(', ')}]) {`,
    '  if (!process.env[name]) throw new Error(`Set the environment variable ${name}.`);',
    '}',
  ];
  const values = [...data].map(([name, value]) => `  ${JSON.stringify(name)}: ${quote(value)},`);
  return [...(variables.length === 0 ? [] : checked), ...(values.length === 0 ? [] : ['', 'const data = {', ...values, '};'])];
}

/** `t2` is `page2`. */
function pageName(tab: string): string {
  return tab === 't1' ? 'page' : `page${tab.slice(1)}`;
}

/** Share of the viewport that is scrolled by default, as the actor does. */
const SCROLL_SHARE = 0.8;

interface StepForm {
  readonly size: Pick<Script['profile'], 'width' | 'height'>;
  readonly dialect: Dialect;
  readonly text: SourceText;
}

class StepWriter {
  readonly #step: ScriptStep;
  readonly #page: string;
  readonly #size: StepForm['size'];
  readonly #dialect: Dialect;
  readonly #text: SourceText;

  constructor(step: ScriptStep, { size, dialect, text }: StepForm) {
    this.#step = step;
    this.#page = pageName(step.tab);
    this.#size = size;
    this.#dialect = dialect;
    this.#text = text;
  }

  /** The statements. */
  write(): readonly string[] {
    const { action, isSwitch, opens, closes, arrival } = this.#step;
    const { why = '', kind } = action;
    const lines = [...(why === '' ? [] : [this.#text.comment(why)]), ...(isSwitch ? [`await ${this.#page}.bringToFront();`] : [])];
    const expressions = this.#writeAction();
    const act = expressions.at(-1);
    if (act === undefined) return [...lines, `// Omitted: "${kind}", since its element could not be described.`];
    const isInput =
      kind !== 'hover' &&
      kind !== 'wait' &&
      kind !== 'tab' &&
      ((kind !== 'fill' && kind !== 'type') || ('submit' in action && action.submit));
    return [
      ...lines,
      ...expressions.slice(0, -1).map((one) => `await ${one};`),
      ...this.#writeEffect(closes ? `${act}.catch(() => undefined)` : act),
      ...(typeof arrival === 'object' && !closes ? [`await ${this.#dialect.arrive(this.#page, arrival.pattern)};`] : []),
      ...(opens === undefined ? [] : [`watchRequests(${pageName(opens)});`]),
      ...(isInput && !closes ? [`await rest(${pageName(opens ?? this.#step.tab)});`] : []),
    ];
  }

  /** The events that the action causes are awaited from before it. */
  #writeEffect(act: string): readonly string[] {
    const { opens, closes, answers, arrival } = this.#step;
    const dialogs = answers.map(
      ({ accept, text }) => `{ accept: ${String(accept)}${text === undefined ? '' : `, text: ${this.#text.quote(text)}`} }`,
    );
    const waits = [
      ...(opens === undefined ? [] : [this.#dialect.popup(this.#page)]),
      ...(dialogs.length === 0 ? [] : [`answerDialogs(${this.#page}, [${dialogs.join(', ')}])`]),
      ...(closes ? [this.#dialect.closed(this.#page)] : arrival === 'document' ? [this.#dialect.load(this.#page)] : []),
    ];
    if (waits.length === 0) return [`await ${act};`];
    const result = opens === undefined ? '' : `const [${pageName(opens)}] = `;
    return [`${result}await Promise.all([`, ...[...waits, act].map((one) => `  ${one},`), ']);'];
  }

  /** Expressions of promises; the last one has the effect. None if an element is missing. */
  #writeAction(): readonly string[] {
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
        return this.#withTarget(action.from, (from) =>
          this.#withTarget(action.to, (to) => [this.#dialect.drag(this.#locate(from), this.#locate(to), this.#page)]),
        );
      case 'type':
        if (action.ref !== undefined) return this.#withTarget(action.ref, (at) => this.#act(action, at));
        return [
          `${this.#page}.keyboard.type(${this.#text.value(action.value, this.#step.written)})`,
          ...(action.submit === true ? [this.#press('Enter')] : []),
        ];
      case 'press':
        return action.ref === undefined
          ? [this.#press(action.keys)]
          : this.#withTarget(action.ref, (at) => [this.#dialect.focus(this.#locate(at)), this.#press(action.keys)]);
      default:
        return 'ref' in action ? this.#withTarget(action.ref, (at) => this.#act(action, at)) : [];
    }
  }

  #act(action: ScriptStep['action'], at: Target): readonly string[] {
    const [dialect, text, page, element] = [this.#dialect, this.#text, this.#page, this.#locate(at)];
    switch (action.kind) {
      case 'click':
        return [dialect.click(element, page, action)];
      case 'hover':
        return [`${element}.hover()`];
      case 'fill': {
        const fill = `${element}.fill(${text.value(action.value, this.#step.written)})`;
        return action.submit === true ? [fill, this.#press('Enter')] : [fill];
      }
      case 'type': {
        const typed = dialect.type(element, text.value(action.value, this.#step.written));
        return action.submit === true ? [typed, this.#press('Enter')] : [typed];
      }
      case 'check':
        return [dialect.check(element, action.on ? 'true' : 'false')];
      case 'select': {
        if (at.facts.isNativeSelect) return [dialect.select(element, action.values.map((value) => text.value(value)).join(', '))];
        const options = action.values.map((value) => `${dialect.option(at, page, { value, text })}.click()`);
        const reopened = options.flatMap((option, index) => (index === 0 ? [option] : [`reopen(${element})`, option]));
        return at.facts.isOpen ? reopened : [`${element}.click()`, ...reopened];
      }
      case 'upload': {
        const files = action.files.map((name) => text.quote(`./files/${name}`)).join(', ');
        return [at.facts.isFileInput ? dialect.upload(element, files) : dialect.choose(element, files, page)];
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
    return this.#withTarget(ref, (at) => [`${this.#locate(at)}.hover()`, wheel]);
  }

  #press(keys: string): string {
    const { modifiers, key } = parseKeys(keys);
    return this.#dialect.press(this.#page, modifiers, key.key === ' ' ? 'Space' : key.key);
  }

  #withTarget(ref: string, write: (target: Target) => readonly string[]): readonly string[] {
    const target = this.#step.targets.get(ref);
    return target === undefined ? [] : write(target);
  }

  #locate(target: Target): string {
    return this.#dialect.locate(target, this.#page, this.#text);
  }
}
