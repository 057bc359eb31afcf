import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI, runCli } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';

const PAGE = `<!doctype html><title>Restless</title><h1>Restless</h1><p style="font-family: monospace"></p><canvas></canvas>
<style>@keyframes move { to { translate: 200px } } h1 { animation: move 1s infinite alternate }</style>
<script>
  document.querySelector('p').textContent = [new Date(), Math.random()];
  const context = document.querySelector('canvas').getContext('2d');
  setInterval(() => context.fillRect(Math.random() * 300, performance.now() % 150, 9, 9), 20);
</script>`;

let folder: string;
let url: string;
/** A record of the page, whose site is gone. */
let archive: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-installations-'));
  // The other user writes into a folder of its own.
  await chmod(folder, 0o711);
  await using site = await openSite({ '/': PAGE });
  url = site.url('/');
  archive = join(folder, 'site.wacz');
  expect(await runCli([url, archive], { cwd: folder })).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true }));

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
  const asked = ['--output-type', type, '--freeze', '--replay', archive, '--with-manifest'];
  const [command = '', ...rest] = [...prefix, process.execPath, CLI, url, join(home, `page.${type}`), ...asked];
  const child = spawn(command, rest, { cwd: home, env: { ...process.env, HOME: home, TZ: timeZone }, stdio: ['ignore', 'ignore', 'pipe'] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code, errors).toBe(0);
  const { output } = JSON.parse(await readFile(join(home, 'page.manifest.json'), 'utf8')) as {
    readonly output: { readonly sha256: string };
  };
  return output.sha256;
}

it.each(['png', 'pdf', 'markdown', 'wacz'])(
  '%s: another user, home, time zone and number of processors make the same bytes',
  async (type) => {
    const digests: string[] = [];
    for (const installation of INSTALLATIONS) digests.push(await digestIn(installation, type));
    expect(digests[0]).toMatch(/^[\da-f]{64}$/);
    expect(digests[1]).toBe(digests[0]);
  },
);
