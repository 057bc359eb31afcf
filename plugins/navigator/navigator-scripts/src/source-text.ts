import type { Direction } from '@platen/lib-actor';
import type { Script, ScriptStep, Target, Value } from './script.js';
import type { Redact } from './url-pattern.js';

/** Writes texts that others have chosen as source text. */
export interface SourceText {
  /** A string literal. */
  quote(text: string): string;
  /** A comment line. */
  comment(text: string): string;
  /** An expression. */
  value(value: Value): string;
}

export function createSourceText(redact: Redact): SourceText {
  const quote = (text: string) => JSON.stringify(redact(text));
  return {
    quote,
    comment: (text) =>
      `// ${redact(text)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, 200)}`,
    value: (value) =>
      value.from === 'text' ? quote(value.text) : `${value.from === 'data' ? 'data' : 'credentials'}[${JSON.stringify(value.name)}]`,
  };
}

/** Environment variable of a credential. */
export function environmentName(name: string): string {
  return `CRED_${name.toUpperCase().replace(/[^A-Z\d]/g, '_')}`;
}

/** `t2` is `page2`. */
export function pageName(tab: string): string {
  return tab === 't1' ? 'page' : `page${tab.slice(1)}`;
}

/** Whether elements in closed shadow trees are used: a script of a browser tool finds only those in open ones. */
export function usesClosedShadow({ steps }: Pick<Script, 'steps'>): boolean {
  const targets = steps.flatMap(({ action }): readonly (Target | undefined)[] => [
    'at' in action ? action.at : undefined,
    'to' in action ? action.to : undefined,
  ]);
  return targets.some((target) => target !== undefined && [...target.frames, target.place].some(({ shadow }) => shadow === 'closed'));
}

/** The constants that steps refer to. */
export function writeConstants({ credentials, data }: Pick<Script, 'credentials' | 'data'>, { quote }: SourceText): readonly string[] {
  return [
    ...(credentials.length === 0
      ? []
      : [
          '',
          '/** Set the environment variables: the script contains no credentials. */',
          'const credentials = {',
          ...credentials.map((name) => `  ${JSON.stringify(name)}: process.env.${environmentName(name)} ?? '',`),
          '};',
          ...[`for (const name of [${credentials.map((name) => `'${environmentName(name)}'`).join(', ')}]) {`],
          '  if (!process.env[name]) throw new Error(`Set the environment variable ${name}.`);',
          '}',
        ]),
    ...(data.size === 0
      ? []
      : ['', 'const data = {', ...[...data].map(([name, value]) => `  ${JSON.stringify(name)}: ${quote(value)},`), '};']),
  ];
}

/** What an action is in a script: statements, and the expression that has its effect. */
export interface Code {
  readonly before?: readonly string[];
  readonly act: string;
}

/** How a form of scripts says it. */
export interface Dialect {
  write(step: ScriptStep): Code | undefined;
  /** Expressions of promises, made before the action. */
  readonly popup: (page: string) => string;
  readonly load: (page: string) => string;
  readonly closed: (page: string) => string;
  /** A statement. */
  readonly arrive: (page: string, pattern: string) => string;
}

/** Statements of one step: what the action opens is waited for from before it. */
export function writeStep(step: ScriptStep, dialect: Dialect, text: SourceText): readonly string[] {
  const page = pageName(step.tab);
  const lines = [...(step.why === '' ? [] : [text.comment(step.why)]), ...(step.isSwitch ? [`await ${page}.bringToFront();`] : [])];
  const code = dialect.write(step);
  if (code === undefined)
    return [
      ...lines,
      text.comment(
        `Not written: the element of "${step.action.kind === 'missing' ? step.action.what : step.action.kind}" could not be described.`,
      ),
    ];
  const waits = [
    ...(step.opens === undefined ? [] : [dialect.popup(page)]),
    ...(step.answers.length === 0
      ? []
      : [`answerDialogs(${page}, [${step.answers.map((answer) => writeAnswer(answer, text)).join(', ')}])`]),
    ...(step.closes ? [dialect.closed(page)] : []),
    ...(!step.closes && step.arrival?.to === 'document' ? [dialect.load(page)] : []),
  ];
  const act = step.closes ? `${code.act}.catch(() => undefined)` : code.act;
  const opened = step.opens === undefined ? '' : `const [${pageName(step.opens)}] = `;
  const arrival = !step.closes && step.arrival?.to === 'url' ? [dialect.arrive(page, step.arrival.pattern)] : [];
  const done =
    waits.length === 0 ? [`await ${act};`] : [`${opened}await Promise.all([`, ...[...waits, act].map((one) => `  ${one},`), ']);'];
  return [...lines, ...(code.before ?? []), ...done, ...arrival];
}

function writeAnswer({ accept, text }: ScriptStep['answers'][number], { quote }: SourceText): string {
  return text === undefined ? `{ accept: ${String(accept)} }` : `{ accept: ${String(accept)}, text: ${quote(text)} }`;
}

export function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

/** Runs in the page, before its scripts. */
export const OPEN_CLOSED_ROOTS = [
  '// Elements in closed shadow trees can be found only if those are opened.',
  'const { attachShadow } = Element.prototype;',
  'Element.prototype.attachShadow = function (options) {',
  "  return attachShadow.call(this, { ...options, mode: 'open' });",
  '};',
];

/** The dialogs of a page block it until they are answered. `page` and `dialog` have the same methods in both tools. */
export function writeDialogHelper(types: { readonly page: string; readonly answers: string; readonly dialog: string }): readonly string[] {
  return [
    '',
    '/** Answers the next dialogs of a page. */',
    `function answerDialogs(page${types.page}, answers${types.answers}) {`,
    `  return new Promise${types.dialog === '' ? '' : '<void>'}((resolve, reject) => {`,
    `    const answer = (dialog${types.dialog}) => {`,
    '      const { accept, text } = answers.shift() ?? { accept: false };',
    "      if (answers.length === 0) page.off('dialog', answer);",
    '      const isLast = answers.length === 0;',
    '      (accept ? dialog.accept(text) : dialog.dismiss()).then(() => isLast && resolve(), reject);',
    '    };',
    "    page.on('dialog', answer);",
    '  });',
    '}',
  ];
}

/** Right and down, in CSS pixels. */
export function wheelBy(dir: Direction, by: number): readonly [number, number] {
  if (dir === 'left' || dir === 'right') return [dir === 'left' ? -by : by, 0];
  return [0, dir === 'up' ? -by : by];
}

export function attributeSelector(name: string, value: string): string {
  return `[${name}="${value.replace(/["\\]/g, '\\$&')}"]`;
}
