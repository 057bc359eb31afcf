import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { CLI } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';

const PAGES = 18;

it('whole lines are left by kill -9, and the same command goes on: each page has one line', async () => {
  const page = (at: number) => {
    const links = [2 * at + 1, 2 * at + 2].filter((next) => next < PAGES).map((next) => `<a href="/p${String(next)}">next</a>`);
    return `<title>Page ${String(at)}</title><h1>Page ${String(at)}</h1>${links.join(' ')}<p>${'Some text of the page. '.repeat(2000)}`;
  };
  await using site = await openSite(Object.fromEntries(Array.from({ length: PAGES }, (_none, at) => [`/p${String(at)}`, page(at)])));
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-jsonl-'));
  const file = join(folder, 'site.jsonl');
  const start = () => {
    const args = [
      site.url('/p0'),
      file,
      '--crawl-links',
      '--crawl-delay',
      '0',
      '--crawl-concurrency',
      '2',
      '--crawl-content',
      'markdown',
      '--crawl-content',
      'screenshot',
    ];
    return spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  };
  const asked = () => site.requests.filter(({ url }) => /^\/p\d/.test(url)).length;
  const readLines = async (path: string) => {
    const content = await readFile(path, 'utf8');
    expect(content).toMatch(/^$|\n$/);
    return content.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Readonly<Record<string, string>>]));
  };
  try {
    const killed = start();
    const exited = once(killed, 'exit');
    await until(() => asked() >= PAGES / 2);
    process.kill(-(killed.pid ?? 0), 'SIGKILL');
    await exited;
    expect((await readdir(folder)).sort()).toEqual(['site.assets', 'site.jsonl.part', 'site.jsonl.state']);
    const before = await readLines(`${file}.part`);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(PAGES);
    const child = start();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect((await readdir(folder)).sort()).toEqual(['site.assets', 'site.jsonl']);
    const lines = await readLines(file);
    expect(lines.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(lines.map(({ title }) => title).sort()).toEqual(Array.from({ length: PAGES }, (_none, at) => `Page ${String(at)}`).sort());
    for (const { markdown = '', title = '', screenshot = '' } of lines) {
      expect(markdown).toContain(`# ${title}`);
      expect(await sharp(join(folder, screenshot)).metadata()).toMatchObject({ format: 'png', width: 1280, height: 720 });
    }
    expect(new Set(lines.map(({ screenshot }) => screenshot)).size).toBe(PAGES);
    expect(stderr).toMatch(/site\.assets \(\d+ files\)/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
