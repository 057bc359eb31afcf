import { execFile } from 'node:child_process';
import { cp, access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Kernel } from '@platen/kernel';
import { coerceQuery, parseQuery } from '@platen/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boot, bootStart } from '../server/src/boot/boot.js';
import { installedCatalog } from '../server/src/boot/catalog.js';
import { main } from '../server/src/cli/main.js';
import { outputTypeOf } from '../server/src/boot/output-type.js';
import { toParams } from '../server/src/http/form-params.js';
import type { FormPart } from '../server/src/http/read-form.js';
import { createIssuer } from './plugins/service/license/issuer.js';
import manifest from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Printed {
  readonly file: string;
  readonly line: string;
}

/** Every line of a shell block of every page in git that calls Platen, npm or curl. */
async function readCommands(): Promise<readonly Printed[]> {
  const { stdout } = await run('git', ['ls-files', '*.md'], { cwd: ROOT });
  const pages = await Promise.all(
    stdout
      .trim()
      .split('\n')
      .map(async (file) => ({ file, text: await readFile(`${ROOT}/${file}`, 'utf8') })),
  );
  return pages.flatMap(({ file, text }) =>
    [...text.matchAll(/^```sh\n([^]*?)^```/gm)]
      .flatMap(([, block = '']) => linesOf(block))
      .filter((line) => /\b(?:platen|npx|npm|curl)\b/.test(line.replace(/\s#.*/, '')))
      .map((line) => ({ file, line })),
  );
}

/** A line ends where no quote is open. */
function linesOf(block: string): readonly string[] {
  return block.split('\n').reduce<readonly string[]>((lines, line) => {
    const last = lines.at(-1);
    const isOpen = last !== undefined && (last.split("'").length - 1) % 2 === 1;
    return isOpen ? [...lines.slice(0, -1), `${last}\n${line}`] : [...lines, line];
  }, []);
}

const COMMANDS = await readCommands();

let empty: string;
beforeAll(async () => {
  empty = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(empty, { recursive: true }));

/**
 * A line's commands as the shell reads them. Nothing runs: the programs are functions that tell what they were called with, and there are
 * no others, by name or in the empty directory.
 */
async function parseLine(line: string): Promise<readonly (readonly string[])[]> {
  const told = ['npx', 'npm', 'curl'].map((name) => `${name}() { printf '%s\\0' ${name} "$@" $'\\n' >&3; }`).join('; ');
  const script = `exec 3>&1 >/dev/null; ${told}; node() { npx platen "\${@:2}"; }; grep() { while read -r _; do :; done; }; PATH=; ${line.replace(/> *[\w./-]+/g, '')}`;
  const { stdout } = await run('bash', ['-c', script], { cwd: empty, env: { HOME: '/home/me' } });
  return stdout
    .split('\n\0')
    .filter((call) => call !== '')
    .map((call) => call.split('\0').filter((word) => word !== ''));
}

const io = (cwd = ROOT) => {
  const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()];
  return { stdout, stderr, environment: {}, cwd };
};

/** What lines before have made: an issuer's keys and a licence. */
async function openIssuersDesk(): Promise<{ readonly folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const { issue, pem, privateKey } = createIssuer();
  await writeFile(join(folder, 'issuer.pub'), pem);
  await writeFile(join(folder, 'issuer.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(join(folder, 'license.txt'), issue());
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Reads the words as the command line does, up to the render. */
async function callPlaten(words: readonly string[]): Promise<void> {
  // Files of secrets that a line before this one has made.
  if (words[0] === 'license') {
    await using desk = await openIssuersDesk();
    expect(await main(words, io(desk.folder), installedCatalog)).toBe(0);
    return;
  }
  const args = words.map((word) =>
    word
      .replace('/home/me/my-plugin', './plugin-template')
      .replace('@bot.txt', 'https://bot.example=https://keys.example/key.pem')
      .replace('@webhook.txt', `whsec_${'A'.repeat(32)}`)
      .replace(/^@\w+\.(?:txt|pub)$/, 'name:secret'),
  );
  if (['help', 'sign'].includes(args[0] ?? '') || args.includes('--help')) {
    expect(await main(args, io(), installedCatalog)).toBe(0);
    return;
  }
  if (args[0] === 'compare') {
    await using desk = await openIssuersDesk();
    for (const name of args.slice(1, 3)) await cp('test/fixtures/readme', join(desk.folder, name), { recursive: true });
    expect(await main(args, io(desk.folder), installedCatalog)).toBe(0);
    return;
  }
  const isCommand = ['doctor', 'mcp', 'plugins'].includes(args[0] ?? '');
  const { flags, positionals, request, createKernel } = await (isCommand
    ? boot(args.slice(1), io(), installedCatalog)
    : bootStart(args, io(), installedCatalog));
  if (isCommand || flags['server'] === true) return;
  const kernel = createKernel();
  const [url, file] = positionals;
  const outputs = kernel.plugins.flatMap(({ definition }) => definition.outputs ?? []);
  // The copy of the template has another extension than the template.
  const isKnown = outputs.some(({ extension }) => file?.endsWith(`.${extension}`) === true);
  const type = file !== undefined && isKnown ? { output_type: outputTypeOf(file, outputs) } : {};
  kernel.plan(kernel.validate({ ...type, ...request, url }, 'flags'));
  await kernel.close(0);
}

/** Of a server, for the requests of all pages. */
let kernel: Kernel;
beforeAll(async () => {
  const { createKernel } = await boot(['--plugin', './plugin-template', '--egress-allow-proxy'], io(), installedCatalog);
  kernel = createKernel();
});
afterAll(() => kernel.close(0));

/** Reads a request as the server does, up to the render. */
function request(words: readonly string[]): void {
  const target = new URL(words.find((word) => /^http:\/\/(?:127\.0\.0\.1|localhost):3000/.test(word)) ?? 'none:');
  // A purge of everything has no parameters.
  if (target.pathname !== '/' || (words.includes('DELETE') && target.search === '')) return;
  const body = words[words.findIndex((word) => ['-d', '--data'].includes(word)) + 1];
  const { schema } = kernel;
  const fields = words.filter((_, index) => words[index - 1] === '-F').map(partOf);
  const query = () => coerceQuery(parseQuery(target.search.slice(1)), schema);
  const form = () => toParams(fields, { schema, takeMemory: () => undefined });
  const raw: unknown = words.includes('-d') ? JSON.parse(body ?? '') : fields.length > 0 ? form() : query();
  kernel.plan(kernel.validate(raw, words.includes('-d') || fields.length > 0 ? 'body' : 'query'));
}

/** A field of curl; its files are empty here. */
function partOf(field: string): FormPart {
  const [, name = '', file, sent, text = ''] = /^(\w+)=(?:@([^;]+)(?:;filename=(.+))?|(.*))$/s.exec(field) ?? [];
  return { name, filename: sent ?? file, type: '', bytes: Buffer.from(text) };
}

it('finds the commands that the pages print', () => {
  expect(COMMANDS.length).toBeGreaterThan(40);
  expect(COMMANDS.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['README.md', 'server/docs/api/pdf.md', 'plugin-template/README.md']),
  );
});

it.each(COMMANDS)('$file: $line', async ({ line }) => {
  const calls = await parseLine(line);
  expect(calls.length).toBeGreaterThan(0);
  for (const [program, ...words] of calls) {
    if (program === 'curl') {
      request(words);
    } else if (program === 'npx' && words[0] === 'platen') await callPlaten(words.slice(1));
    else if (program === 'npm')
      expect(['install', 'ci', 'pack', 'test', 'start', ...Object.keys(manifest.scripts)]).toContain(
        words[0] === 'run' ? words[1] : words[0],
      );
    else await access(`${ROOT}/node_modules/.bin/${words[0] ?? ''}`);
  }
});

it('npx platen is the command line of this clone', async () => {
  const { stdout } = await run('npx', ['--no-install', 'platen', '--version'], { cwd: ROOT });
  expect(stdout).toBe(`${manifest.version}\n`);
});
