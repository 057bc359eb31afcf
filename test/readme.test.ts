import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from './helpers/run-cli.js';
import { openSite, type Site } from './helpers/site.js';

const run = promisify(execFile);
const README = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const CLI = new URL('../server/dist/cli.js', import.meta.url).pathname;

/** The lines of the code block behind the marker. */
function examples(): readonly string[] {
  const [, block = ''] = /<!-- examples:[^\n]*\n```sh\n([\s\S]*?)```/.exec(README) ?? [];
  return block.trim().split('\n');
}

let folder: string;
let site: Site;
let platen: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  site = await openSite({ '/': '<title>Example</title><h1>Example</h1><p>A page.' });
  platen = await startServer();
});
afterAll(async () => {
  await platen[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe("README's examples", () => {
  it('are ten', () => {
    expect(examples()).toHaveLength(10);
  });

  it.each(examples())('%s', async (line) => {
    const here = line
      .replaceAll('https://example.com/', site.url('/'))
      .replace('http://127.0.0.1:3000', platen.url)
      .replace(/^npm start --/, `${process.execPath} ${CLI}`)
      .replace(/^curl /, 'curl --fail-with-body --silent ');
    await run('bash', ['-c', here], { cwd: folder });
    const file = /([\w-]+)\.(png|jpg|webp)\b(?!.*\.(png|jpg|webp)\b)/.exec(line);
    const { format, width, height } = await sharp(join(folder, file?.[0] ?? 'none')).metadata();
    expect(format).toBe(file?.[2] === 'jpg' ? 'jpeg' : file?.[2]);
    expect(Math.min(width, height)).toBeGreaterThan(20);
  });
});
