import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const BUILDER = new URL('../../../server/dist/trim/cli.js', import.meta.url).pathname;

let folder: string;
let out: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  out = join(folder, 'txt');
  await run(process.execPath, [BUILDER, '--plugins', 'txt', '--out', out]);
});
afterAll(() => rm(folder, { recursive: true }));

it('bundles the modules of worker threads beside the rest', async () => {
  expect(await readdir(out, { recursive: true })).toEqual(expect.arrayContaining(['platen.mjs', join('workers', 'text-worker-1.mjs')]));
});

it('runs them, away from the repository', async () => {
  const page = `<body><script>document.body.innerHTML = '<p>some words</p>'.repeat(20000)</script>`;
  const target = join(folder, 'page.txt');
  await run(process.execPath, [join(out, 'platen.mjs'), `data:text/html,${encodeURIComponent(page)}`, target], { cwd: folder });
  const text = await readFile(target, 'utf8');
  expect(text === `${Array.from({ length: 20_000 }, () => 'some words').join('\n\n')}\n`).toBe(true);
});
