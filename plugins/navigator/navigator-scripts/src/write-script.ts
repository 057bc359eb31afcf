import type { Dialect } from './dialect.js';
import type { Redact, Script } from './script.js';
import { createSourceText, type SourceText } from './source-text.js';
import { pageName, StepWriter } from './write-step.js';

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
