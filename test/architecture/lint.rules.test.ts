import { ESLint, Linter } from 'eslint';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint as lintLanguage } from '../../.config/lint.mjs';
import { localPlugin } from '../../.config/eslint/local-plugin.js';
import { listFiles, ROOT } from './workspaces.js';

const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: join(ROOT, '.config/eslint.js') });

/** Files whose place the samples take. */
const KERNEL = 'kernel/src/errors.ts';
const PLUGIN = 'plugins/output/png/src/index.ts';
const ENTRY = 'kernel/src/index.ts';
const EGRESS = 'kernel/src/egress/dialer.ts';
const TEST = 'test/architecture/lint.rules.test.ts';

async function lint(code: string, file: string): Promise<readonly string[]> {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: join(ROOT, file) });
  return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId ?? 'parser'}: ${message}`);
}

const TAP = "declare const hook: { tap(options: object, fn: () => void): void };\nhook.tap({ name: 'a', before: 'b' }, () => undefined);";
const TYPE = "declare const plan: { readonly output: { readonly type: string } };\nexport const isPng = plan.output.type === 'png';";
const long = (lines: number) => Array.from({ length: lines }, (_, index) => `  console.log(${index});`).join('\n');

describe('a house rule fires with its message', () => {
  it.each([
    ['long file', KERNEL, 'export {};\n'.repeat(301), /max-lines: File has too many lines/],
    ['long function', KERNEL, `export function a() {\n${long(50)}\n}`, /max-lines-per-function/],
    ['default export', KERNEL, 'export default 1;', /No default export but a plugin's definition/],
    ['default export of a package', ENTRY, 'export default 1;', /No default export but a plugin's definition/],
    ['boolean parameter', KERNEL, 'export const a = (b: string, full: boolean) => [b, full];', /No boolean positional parameter/],
    ['boolean parameter by default', KERNEL, 'export const a = (b: string, full = false) => [b, full];', /No boolean positional parameter/],
    [
      'boolean parameter of a method',
      KERNEL,
      'export interface A { b(c: string, full: boolean): void }',
      /No boolean positional parameter/,
    ],
    ['before: in a tap', KERNEL, TAP, /No `before:` in a tap/],
    ['question about the output type', KERNEL, TYPE, /No question about the output type outside its plugin/],
    [
      'switch over the output type',
      KERNEL,
      "export const a = (output_type: string) => { const params = { output_type }; switch (params.output_type) { case 'png': return 1; default: return 2; } };",
      /No question about the output type/,
    ],
    ['fetch', KERNEL, "export const a = () => fetch('http://x/');", /No `fetch` beside the dialer/],
    [
      'http.request',
      KERNEL,
      "import * as http from 'node:http';\nexport const a = () => http.request('http://x/');",
      /No connection beside the dialer/,
    ],
    ['request of node:http', KERNEL, "import { request } from 'node:http';\nexport const a = request;", /Only the kernel's egress dials/],
    ['connect of node:net', KERNEL, "import { connect } from 'node:net';\nexport const a = connect;", /Only the kernel's egress dials/],
    ['node:tls', PLUGIN, "import { connect } from 'node:tls';\nexport const a = connect;", /Only the kernel's egress dials/],
    ['WebSocket', KERNEL, "export const a = () => new WebSocket('ws://x/');", /No connection beside the dialer/],
    ['I6: a regular expression that backtracks', KERNEL, 'export const a = /^(a+)+$/;', /regexp\/no-super-linear-backtracking/],
    ['barrel', KERNEL, "export * from './logger.js';", /No barrel but a package's index.ts/],
    [
      'subclass',
      KERNEL,
      'declare class Kernel {}\nexport class Mine extends Kernel {}',
      /No subclassing but of errors, emitters and streams/,
    ],
    ['console', KERNEL, 'console.log(1);', /no-console/],
    ['comment left for later', KERNEL, '// TODO later\nexport {};', /no-warning-comments/],
    ['fixme', KERNEL, '/* one more FIXME */\nexport {};', /no-warning-comments/],
    [
      'disabled rule without a reason',
      KERNEL,
      '// eslint-disable-next-line no-console\nconsole.log(1);',
      /Say why the rule is switched off/,
    ],
    ['needless disabling', KERNEL, '// eslint-disable-next-line no-console -- because\nexport {};', /Unused eslint-disable directive/],
    ['sleep', TEST, 'await new Promise((resolve) => setTimeout(resolve, 1));', /No sleep in a test/],
    ['imported sleep', TEST, "import { setTimeout } from 'node:timers/promises';\nawait setTimeout(1);", /No sleep in a test/],
    ['skipped test', TEST, "import { it } from 'vitest';\nit.skip('a', () => undefined);", /No skipped, lone or planned test/],
    ['lone test', TEST, "import { describe } from 'vitest';\ndescribe.only('a', () => undefined);", /No skipped, lone or planned test/],
    ['planned test', TEST, "import { it } from 'vitest';\nit.todo('a');", /No skipped, lone or planned test/],
    ['before: in a test', TEST, TAP, /No `before:` in a tap/],
  ])('%s', async (_, file, code, message) => {
    expect(await lint(code, file)).toContainEqual(expect.stringMatching(message));
  });
});

describe('rules of the language', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-lint-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const sources: Record<string, string> = {
    'kernel/src/any.ts': 'export const a: any = 1;',
    'kernel/src/unchecked.ts': 'export const a = JSON.parse("1") as number;',
    'kernel/src/literal.ts': 'export const a = {} as { b: 1 };',
    'kernel/src/non-null.ts': 'export const a = (b: string | undefined) => b!.length;',
    'kernel/src/floating.ts': 'Promise.resolve(1);',
    'kernel/src/four.ts': 'export const a = (b: 1, c: 2, d: 3, e: 4) => [b, c, d, e];',
    'kernel/src/needless.ts': '// oxlint-disable-next-line no-eval -- because\nexport {};',
    'kernel/src/reason.ts': '// The protocol promises a number here.\nexport const a = JSON.parse("1") as number;',
    'kernel/src/const.ts': 'export const a = { b: 1 } as const;',
    'test/unchecked.test.ts': 'export const a: unknown = JSON.parse("1");\nexport const b = JSON.parse("1") as number;',
  };
  const findings: string[] = [];
  beforeAll(() => {
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{ "compilerOptions": { "strict": true, "module": "NodeNext", "target": "ES2023", "types": [] } }',
    );
    for (const [file, source] of Object.entries(sources)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), `${source}\n`);
    }
    findings.push(...lintLanguage([], folder));
  });

  it.each([
    ['any', /no-explicit-any/],
    ['unchecked', /give the reason in a comment beside it\. \[typescript\(no-unsafe-type-assertion/],
    ['literal', /consistent-type-assertions/],
    ['non-null', /no-non-null-assertion/],
    ['floating', /no-floating-promises/],
    ['four', /max-params/],
    ['needless', /Unused oxlint-disable directive/],
  ])('%s is reported', (name, message) => {
    const own = findings.filter((line) => line.startsWith(`kernel/src/${name}.ts:`));
    expect(own).toContainEqual(expect.stringMatching(message));
  });

  it.each(['kernel/src/reason.ts', 'kernel/src/const.ts', 'test/unchecked.test.ts'])('%s is allowed', (file) => {
    expect(findings.filter((line) => line.startsWith(file))).toEqual([]);
  });
});

describe('what is allowed stays allowed', () => {
  it.each([
    ['a lone boolean', KERNEL, 'export const a = (value: boolean) => (value ? "yes" : "no");'],
    ['an error class', KERNEL, 'export class BadError extends Error {}'],
    [
      'a lookup by the output type',
      KERNEL,
      'export const a = (types: string[], outputType: string) => types.find((type) => type === outputType);',
    ],
    ['a question of a plugin about its own type', PLUGIN, `${TYPE}\nexport default isPng;`],
    ['the definition of a plugin', PLUGIN, 'export default 1;'],
    ['a package’s index', ENTRY, "export * from './logger.js';"],
    ['dialing in the egress', EGRESS, "import { connect } from 'node:net';\nexport const a = connect;"],
    ['types of sockets', KERNEL, "import type { Socket } from 'node:net';\nexport const a = (socket: Socket) => socket.remoteAddress;"],
    ['a reasoned disabling', KERNEL, '// eslint-disable-next-line no-console -- the first words of the process\nconsole.log(1);'],
  ])('%s', async (_, file, code) => {
    expect(await lint(code, file)).toEqual([]);
  });
});

it('no file switches off all rules, which would switch off the rule against that', () => {
  const files = ['kernel', 'schema', 'server', 'plugins', 'plugin-template', 'test', '.config']
    .flatMap(listFiles)
    .filter((file) => /^(?!.*(node_modules|dist)\/).*\.(ts|m?js)$/.test(file));
  const blanket = new RegExp(`(?:es|ox)lint-disa(?:ble)(-next-line|-line)?\\s*(\\*/|--|$)`, 'm');
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => file !== TEST && blanket.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

describe('file names', () => {
  const verify = (name: string, source: boolean) =>
    new Linter()
      .verify(
        'export {};',
        [{ files: ['**/*.ts'], plugins: { platen: localPlugin }, rules: { 'platen/file-name': ['error', { source }] } }],
        name,
      )
      .map(({ message }) => message);

  it.each(['kernel/src/badName.ts', 'kernel/src/Bad.ts', 'kernel/src/bad_name.ts'])('%s is not kebab-case', (name) => {
    expect(verify(name, true)).toEqual([expect.stringContaining('File names are kebab-case')]);
  });

  it.each(['utils.ts', 'util.ts', 'helpers.ts', 'common.ts'])('%s says nothing in sources', (name) => {
    expect(verify(`kernel/src/${name}`, true)).toEqual([expect.stringContaining('says nothing of what is in it')]);
    expect(verify(`test/${name}`, false)).toEqual([]);
  });

  it('a name of parts is one', () => {
    expect(verify('kernel/src/protocol-session.test.ts', true)).toEqual([]);
  });
});
