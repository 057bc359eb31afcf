import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer } from '../../helpers/run-cli.js';

const run = promisify(execFile);
const BUILDER = new URL('../../../server/dist/trim/cli.js', import.meta.url).pathname;

let folder: string;
let out: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  out = join(folder, 'openapi');
  await run(process.execPath, [BUILDER, '--plugins', 'png,openapi', '--out', out]);
});
afterAll(() => rm(folder, { recursive: true }));

it('brings along the folders that a plugin serves, without what nobody is served', async () => {
  const files = await readdir(join(out, 'files'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining([join('1', 'playground.html'), join('2', 'playground.js')]));
  expect(files.filter((file) => /\.map$|\.d\.ts$/.test(file))).toEqual([]);
});

it('serves them, away from the repository', async () => {
  await using platen = await startServer(['--server-enable-docs'], { file: join(out, 'platen.mjs'), cwd: folder });
  for (const path of ['playground', 'docs', 'playground/style.css', 'playground/playground.js', 'openapi.json']) {
    expect((await fetch(`${platen.url}/${path}`)).status, path).toBe(200);
  }
});
