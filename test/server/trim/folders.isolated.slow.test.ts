import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer } from '../../helpers/run-cli.js';
import { useTrimmed } from './use-trimmed.js';

const build = useTrimmed('png,openapi');

it('brings along the folders that a plugin serves, without what nobody is served', async () => {
  const files = await readdir(join(build.out, 'files'), { recursive: true });
  expect(files).toEqual(expect.arrayContaining([join('static', 'playground.html'), join('browser', 'playground.js')]));
  expect(files.filter((file) => /\.map$|\.d\.ts$/.test(file))).toEqual([]);
});

it('serves them, away from the repository', async () => {
  await using platen = await startServer(['--server-enable-docs'], { file: join(build.out, 'platen.mjs'), cwd: build.folder });
  for (const path of ['playground', 'docs', 'playground/style.css', 'playground/playground.js', 'openapi.json']) {
    expect((await fetch(`${platen.url}/${path}`)).status, path).toBe(200);
  }
});
