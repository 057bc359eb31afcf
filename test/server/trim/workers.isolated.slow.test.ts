import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, useTrimmed } from './use-trimmed.js';

const build = useTrimmed('txt');

it('bundles the modules of worker threads beside the rest', async () => {
  expect(await readdir(build.out, { recursive: true })).toEqual(
    expect.arrayContaining(['platen.mjs', join('workers', 'text-worker-1.mjs')]),
  );
});

it('runs them, away from the repository', async () => {
  const page = `<body><script>document.body.innerHTML = '<p>some words</p>'.repeat(20000)</script>`;
  const target = join(build.folder, 'page.txt');
  await run(process.execPath, [join(build.out, 'platen.mjs'), `data:text/html,${encodeURIComponent(page)}`, target], { cwd: build.folder });
  const text = await readFile(target, 'utf8');
  expect(text === `${Array.from({ length: 20_000 }, () => 'some words').join('\n\n')}\n`).toBe(true);
});
