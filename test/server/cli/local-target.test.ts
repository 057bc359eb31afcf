import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLocalTarget } from '../../../server/src/cli/local-target.js';

let folder: string;
let read: (path: string) => Promise<string | undefined>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-target-'));
  for (const inner of ['site/css', 'site/.git', 'site-of-others']) await mkdir(join(folder, inner), { recursive: true });
  for (const path of ['site/index.html', 'site/css/a.css', 'site/.git/config', 'site/.env', 'site-of-others/a', 'secret'])
    await writeFile(join(folder, path), path);
  for (const [path, target] of [
    ['site/inner', 'css'],
    ['site/b.css', 'css/a.css'],
    ['site/out', '../secret'],
    ['site/others', '../site-of-others'],
    ['site/root', '/'],
    ['site/git', '.git'],
    ['site/loop', 'loop'],
  ] as const)
    await symlink(target, join(folder, path));
  const { readLocalFile } = await readLocalTarget('site/index.html', folder);
  read = async (path) => (await readLocalFile?.(path))?.toString();
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['index.html', 'site/index.html'],
  ['css/a.css', 'site/css/a.css'],
  ['inner/a.css', 'site/css/a.css'],
  ['b.css', 'site/css/a.css'],
])('a page may load %s of its folder', async (path, text) => {
  expect(await read(path)).toBe(text);
});

it.each([
  ...['none', 'css', '', '..', '../secret', 'css/../../secret', '/etc/hosts', 'a\0', 'loop', 'x'.repeat(5000)],
  ...['out', 'others/a', 'root/etc/hosts', '../site-of-others/a'],
  ...['.env', '.git/config', 'git/config', 'css/../.env'],
])('but not %s', async (path) => {
  expect(await read(path)).toBeUndefined();
});
