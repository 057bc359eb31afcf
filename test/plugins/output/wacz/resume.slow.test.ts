import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CLI, runCli } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';
import { mountSmallDisk, NEEDS_MOUNT } from '../../../helpers/small-disk.js';
import { until } from '../../../helpers/until.js';
import { readMember } from '../../../helpers/wacz-file.js';
import { readRecords } from '../../lib/warc/archive-fixture.js';

const PAGES = 18;
const WEIGHT = 20_000;

/** A tree of pages, each with a text of its own that does not compress. */
function openTree() {
  const page = (at: number) => {
    const links = [2 * at + 1, 2 * at + 2].filter((next) => next < PAGES).map((next) => `<a href="/p${String(next)}">next</a>`);
    const noise = Array.from({ length: WEIGHT / 20 }, (_none, step) => String(Math.sin(at + step))).join('');
    return `<title>Page ${String(at)}</title>${links.join('')}<p>${noise}`;
  };
  return openSite(Object.fromEntries(Array.from({ length: PAGES }, (_none, at) => [`/p${String(at)}`, page(at)])));
}

type Site = Awaited<ReturnType<typeof openTree>>;

/** Requests of pages so far. */
const asked = ({ requests }: Site): number => requests.filter(({ url }) => /^\/p\d/.test(url)).length;

function startCrawl(site: Site, file: string, ...more: readonly string[]) {
  const child = spawn(
    process.execPath,
    [CLI, site.url('/p0'), file, '--crawl-links', '--crawl-delay', '0', '--crawl-concurrency', '2', ...more],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const ended = Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]).then(([stderr, [code]]) => ({
    code,
    stderr,
  }));
  return { child, ended };
}

/** Interrupts a crawl when so many pages were requested. */
async function interrupt(site: Site, file: string, { at, signal }: { readonly at: number; readonly signal: 'SIGKILL' | 'SIGINT' }) {
  const { child, ended } = startCrawl(site, file);
  await until(() => asked(site) >= at);
  // Also its browser, which would end by itself a moment later.
  if (signal === 'SIGKILL') process.kill(-(child.pid ?? 0), signal);
  else child.kill(signal);
  return ended;
}

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-resume-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Path of each archived page, sorted; a page stored twice is here twice. */
async function archivedPages(file: string): Promise<readonly string[]> {
  const warc = file.endsWith('.wacz') ? await readMember(file, 'archive/data.warc.gz') : await readFile(file);
  const records = await readRecords(warc);
  const found = records.filter(({ type }) => type === 'response' || type === 'revisit');
  return found
    .map((record) => new URL(record.field('WARC-Target-URI') ?? '').pathname)
    .filter((path) => path !== '/robots.txt')
    .sort();
}

const ALL = Array.from({ length: PAGES }, (_none, at) => `/p${String(at)}`).sort();

describe('a crawl on the command line', () => {
  it.each(['site.wacz', 'site.warc.gz'])('goes on after kill -9 and after Ctrl-C, and stores each page once: %s', async (name) => {
    await using site = await openTree();
    await using place = await openFolder();
    const file = join(place.folder, name);
    await interrupt(site, file, { at: PAGES / 3, signal: 'SIGKILL' });
    expect((await readdir(place.folder)).sort()).toEqual([`${name}.part`, `${name}.state`]);
    const stopped = await interrupt(site, file, { at: (2 * PAGES) / 3, signal: 'SIGINT' });
    expect(stopped).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('.part keeps what is complete: the same command goes on') as unknown,
    });
    expect(await startCrawl(site, file).ended).toMatchObject({ code: 0 });
    expect(await readdir(place.folder)).toEqual([name]);
    expect(await archivedPages(file)).toEqual(ALL);
    // Only the pages in progress are loaded again, and the target, which each run begins with.
    expect(asked(site)).toBeLessThanOrEqual(PAGES + 2 * 3);
    if (name.endsWith('.wacz')) {
      const lists = await Promise.all(['pages', 'extraPages'].map((list) => readMember(file, `pages/${list}.jsonl`)));
      const listed = lists
        .flatMap((list) => list.toString().trim().split('\n').slice(1))
        .map((line) => (JSON.parse(line) as { url: string }).url);
      expect(listed.map((url) => new URL(url).pathname).sort()).toEqual(ALL);
    }
  });

  it('begins anew with --restart', async () => {
    await using site = await openTree();
    await using place = await openFolder();
    const file = join(place.folder, 'site.warc.gz');
    await interrupt(site, file, { at: PAGES / 3, signal: 'SIGKILL' });
    const before = asked(site);
    expect(await startCrawl(site, file, '--restart').ended).toMatchObject({ code: 0 });
    expect(asked(site) - before).toBe(PAGES);
    expect(await archivedPages(file)).toEqual(ALL);
  });

  it('leaves its state to a render of the same file that is no crawl, and goes on', async () => {
    await using site = await openTree();
    await using place = await openFolder();
    const file = join(place.folder, 'site.warc.gz');
    await interrupt(site, file, { at: PAGES / 3, signal: 'SIGKILL' });
    const { code, stderr } = await runCli([site.url('/p1'), file]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `platen: note: ${file}.part keeps an unfinished crawl of ${site.url('/p0')}: its command goes on and replaces ${file}, with --restart it begins anew\n`,
    });
    expect(await archivedPages(file)).toEqual(['/p1']);
    expect(await startCrawl(site, file).ended).toMatchObject({ code: 0 });
    expect(await archivedPages(file)).toEqual(ALL);
  });

  it('keeps its state until its assets are written', async () => {
    await using site = await openSite({ '/p0': '<a href="/p1">next</a>', '/p1': 'the end' });
    await using place = await openFolder();
    const file = join(place.folder, 'site.warc.gz');
    const index = join(place.folder, 'site.warc.cdxj');
    await mkdir(index);
    expect(await startCrawl(site, file, '--with-archive-cdx').ended).toMatchObject({ code: 6 });
    expect((await readdir(place.folder)).sort()).toEqual(['site.warc.cdxj', 'site.warc.gz', 'site.warc.gz.part', 'site.warc.gz.state']);
    await rmdir(index);
    expect(await startCrawl(site, file, '--with-archive-cdx').ended).toMatchObject({ code: 0 });
    expect((await readdir(place.folder)).sort()).toEqual(['site.warc.cdxj', 'site.warc.gz']);
    expect((await readFile(index, 'utf8')).match(/"mime":"text\/html"/g)).toHaveLength(2);
    expect(asked(site)).toBe(3);
  });

  it.each([[[]], [['--restart']]])('is not disturbed by a second one of the same output: %j', async (more) => {
    const gate = new EventEmitter();
    const last = once(gate, 'open').then(() => 'the end');
    await using site = await openSite({ '/p0': '<a href="/p1">next</a>', '/p1': () => last });
    await using place = await openFolder();
    const file = join(place.folder, 'site.warc.gz');
    const first = startCrawl(site, file);
    await until(() => asked(site) === 2);
    const second = await startCrawl(site, file, ...more).ended;
    expect(second).toEqual({ code: 1, stderr: 'platen: the walk cannot begin or go on: the frontier is in use by another process\n' });
    gate.emit('open');
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await readdir(place.folder)).toEqual(['site.warc.gz']);
    expect(await archivedPages(file)).toEqual(['/p0', '/p1']);
  });

  const disk = mountSmallDisk(4 * 1024 * 1024);

  it.skipIf(disk === undefined).each([0, 4096, 16_384])(
    `says that the disk is full at its start: %i bytes free (${NEEDS_MOUNT})`,
    async (free) => {
      using small = mountSmallDisk(1024 * 1024);
      await using site = await openTree();
      await small?.fillTo(free);
      const { code, stderr } = await startCrawl(site, join(small?.path ?? '', 'site.warc.gz')).ended;
      expect(code).toBe(free === 0 ? 6 : 1);
      expect(stderr).toMatch(/^platen: [^\n]*the disk is full\n$/);
    },
  );

  it.skipIf(disk === undefined)(`goes on after a full disk (${NEEDS_MOUNT})`, async () => {
    using small = disk;
    await using site = await openTree();
    const folder = small?.path ?? '';
    const file = join(folder, 'site.warc.gz');
    await small?.fillTo(120 * 1024);
    const full = await startCrawl(site, file).ended;
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('the disk is full') as unknown });
    expect(full.stderr).toContain('.part keeps what is complete');
    await rm(join(folder, 'filler'));
    expect(await startCrawl(site, file).ended).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(['site.warc.gz']);
    expect(await archivedPages(file)).toEqual(ALL);
  });
});
