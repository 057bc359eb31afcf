import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';

const PAGE = `<!doctype html><title>Still</title><h1>Still</h1><p style="font-family: monospace">A page without time and chance.</p>`;

let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-installations-'));
  // The other user writes into a folder of its own.
  await chmod(folder, 0o711);
  site = await openSite({ '/': PAGE });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Installation {
  readonly name: string;
  /** What runs the command line: with another user, and another number of processors. */
  readonly prefix: readonly string[];
  readonly timeZone: string;
}

/** Another user needs root, which tests in a container are. */
const OTHER_USER = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
const INSTALLATIONS: readonly Installation[] = [
  { name: 'one', prefix: [], timeZone: 'UTC' },
  { name: 'other', prefix: ['taskset', '-c', '0', ...OTHER_USER], timeZone: 'Asia/Tokyo' },
];

/** The digest of the output, by the manifest of a render in a home of its own. */
async function digestIn({ name, prefix, timeZone }: Installation, type: string): Promise<string> {
  const home = join(folder, `${name}-${type}`);
  await mkdir(home);
  await chmod(home, 0o777);
  const words = [...prefix, process.execPath, CLI, site.url('/'), join(home, `page.${type}`), '--output-type', type, '--with-manifest'];
  const [command = '', ...rest] = words;
  const child = spawn(command, rest, { cwd: home, env: { ...process.env, HOME: home, TZ: timeZone }, stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code, errors).toBe(0);
  const { output } = JSON.parse(await readFile(join(home, 'page.manifest.json'), 'utf8')) as {
    readonly output: { readonly sha256: string };
  };
  return output.sha256;
}

/** Output types, and whether two installations make the same bytes of a page that stands still. Dates and ids make the others differ. */
it.each([
  ['png', true],
  ['markdown', true],
  ['pdf', false],
  ['wacz', false],
])('%s: another user, home, time zone and number of processors make the same bytes: %s', async (type, isSame) => {
  const digests: string[] = [];
  for (const installation of INSTALLATIONS) digests.push(await digestIn(installation, type));
  expect(digests[0]).toMatch(/^[\da-f]{64}$/);
  expect(digests[0] === digests[1]).toBe(isSame);
});
