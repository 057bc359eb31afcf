import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlatenError, OutboundError, silentLogger, type Logger, type OutboundResponse } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import { createEngineFiles, engineFolder } from '../../../../plugins/page/adblock/src/engine-file.js';
import { createFilterListManager } from '../../../../plugins/page/adblock/src/filter-list-manager.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adblock-lists-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** A body, or a status, or a body with its content type. */
type Web = Record<string, string | number | readonly [body: string, type: string] | undefined>;

/** Answers that are no lists, and what is said of them. */
const NO_LISTS = [
  ['a page', '<!doctype html><p>Log in', 'it is an HTML page'],
  ['another document', '<?xml version="1.0"?><Error/>', 'it is an HTML or XML document'],
  ['a page by its type', ['||one.test^\n', 'text/html; charset=utf-8'], 'its content type is text/html; charset=utf-8'],
  ['a fault in JSON', '{"error":"rate limited"}', 'it is JSON'],
  ['JSON by its type', ['||one.test^\n', 'application/problem+json'], 'its content type is application/problem+json'],
  ['a list in JSON', '\n["a","b"]', 'it is JSON'],
  ['nothing', '', 'no line of it is a rule'],
  ['comments alone', '! moved\n[Adblock Plus 2.0]\n', 'no line of it is a rule'],
  ['words', 'Too many requests\nplease come later\n', 'no line of it is a rule'],
  ['a hosts file', '127.0.0.1 localhost\n0.0.0.0 ads.example\n', 'no line of it is a rule'],
  ['more of something else', '||one.test^\nso it\ngoes on\n', 'more of its lines are not rules (2) than are (1)'],
] as const;

/** A keeper over files and a web of the test's own, with what it has logged. */
function rig(sources: readonly string[], web: Web = {}) {
  const logged: (readonly [string, Record<string, unknown>])[] = [];
  const note = (facts: unknown, message?: string) => logged.push([message ?? '', facts as Record<string, unknown>]);
  const log: Logger = { ...silentLogger, info: note, warn: note };
  const outbound = {
    fetch(url: string): Promise<OutboundResponse> {
      if (!url.startsWith('http')) return createOutbound({ addressFilters: [] }).fetch(url, { maxBytes: 1, timeoutMs: 1000 });
      const found = web[url];
      if (found === undefined) return Promise.reject(new OutboundError('unreachable', `${url} could not be fetched: ECONNREFUSED`));
      const status = typeof found === 'number' ? found : 200;
      const [body, type] = typeof found === 'object' ? found : [String(found), 'text/plain'];
      return Promise.resolve({ url, status, headers: { 'content-type': type }, body: Buffer.from(body) });
    },
  };
  const keeper = createFilterListManager({ sources, outbound, log, files: createEngineFiles(join(folder, 'kept')) });
  return {
    keeper,
    logged,
    web,
    loaded: () => logged.filter(([message]) => message === 'the adblock rules are loaded').map(([, facts]) => facts),
  };
}

const blocks = ({ keeper }: ReturnType<typeof rig>, name: string) => keeper.blocker?.ruleAgainst(`http://${name}.test/`) !== undefined;
const kept = async () => (await readdir(join(folder, 'kept'))).map((name) => join(folder, 'kept', name));

describe('sources', () => {
  it('are files and URLs, and all of them count', async () => {
    await writeFile(join(folder, 'list.txt'), '\uFEFF||file.test^\r\n');
    const opened = rig([join(folder, 'list.txt'), 'https://lists.test/a'], { 'https://lists.test/a': '||web.test^\n' });
    await opened.keeper.load();
    expect([blocks(opened, 'file'), blocks(opened, 'web'), blocks(opened, 'other')]).toEqual([true, true, false]);
  });

  it.each([
    ['a file that is not there', '/nowhere/list.txt', {}, '/nowhere/list.txt'],
    ['another scheme', 'ftp://lists.test/a', {}, 'is unavailable: ftp: is neither http: nor https:'],
    ['a URL that cannot be had', 'https://lists.test/a', {}, '"https://lists.test/a" of --adblock-rules is unavailable: ECONNREFUSED'],
    ['a URL that answers with an error', 'https://lists.test/a', { 'https://lists.test/a': 404 }, 'status 404'],
  ])('%s ends the start with its name', async (_name, source, web, told) => {
    const error = await rig([source], web)
      .keeper.load()
      .catch((thrown: unknown) => thrown);
    expect(isPlatenError(error) && [error.code, error.message]).toEqual(['boot_source_unavailable', expect.stringContaining(told)]);
    expect(String(error)).toContain(`the source "${source}" of --adblock-rules is unavailable: `);
  });

  it.each(NO_LISTS)('%s in place of a list ends the start', async (_name, answer, told) => {
    const { keeper } = rig(['https://lists.test/a'], { 'https://lists.test/a': answer });
    await expect(keeper.load()).rejects.toMatchObject({
      code: 'boot_source_unavailable',
      message: expect.stringContaining(`the source "https://lists.test/a" of --adblock-rules is unavailable: ${told}`) as string,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('the first lines that are skipped are told, cut', async () => {
    const bad = Array.from({ length: 7 }, (_, n) => `||bad${String(n)}.test^$nonsense=${'x'.repeat(300)}`);
    const good = Array.from({ length: 7 }, (_, n) => `||good${String(n)}.test^`);
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': [...good, ...bad].join('\n') });
    await opened.keeper.load();
    expect(opened.logged.find(([message]) => message === 'lines of the adblock rules were skipped')?.[1]).toEqual({
      lines: bad.slice(0, 5).map((line) => line.slice(0, 200)),
      skipped: 7,
    });
  });

  it('may name hosts in any script: they are those that browsers ask', async () => {
    const rules = [
      '||münchen.test^',
      '|http://www.пример.test/page',
      '||münchen.test/ok^',
      '@@||frei.münchen.test^',
      '||ascii.test/ü',
      '||ascii-b.test^',
    ];
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': rules.join('\r\n') });
    await opened.keeper.load();
    const refuses = (url: string) => opened.keeper.blocker?.ruleAgainst(new URL(url).href) !== undefined;
    expect(
      ['http://münchen.test/', 'http://www.münchen.test/', 'http://www.пример.test/page', 'http://ascii-b.test/'].map(refuses),
    ).toEqual([true, true, true, true]);
    expect(['http://frei.münchen.test/', 'http://m.test/', 'http://www.пример.test/', 'http://ascii.test/'].map(refuses)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('a rule that begins with a whole address refuses that target, and one of a scheme or any host does not', async () => {
    const rules = [
      '|http://exact.test/page|',
      '|https://prefix.test/',
      '|http://*/any',
      '|http://typed.test/$image',
      '|https://',
      '/any$script',
    ];
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': rules.join('\n') });
    await opened.keeper.load();
    const rule = (url: string) => opened.keeper.blocker?.ruleAgainst(url);
    expect(rule('http://exact.test/page')).toBe('|http://exact.test/page|');
    expect(rule('https://prefix.test/x')).toBe('|https://prefix.test/');
    for (const url of [
      'http://exact.test/page2',
      'http://prefix.test/',
      'http://other.test/any',
      'http://typed.test/',
      'https://other.test/',
    ]) {
      expect(rule(url)).toBeUndefined();
    }
  });

  it('begin with headers and modifiers in brackets: those are no JSON', async () => {
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': '[uBlock Origin]\n||one.test^\n[$path=/x]##.ad\n' });
    await opened.keeper.load();
    expect(blocks(opened, 'one')).toBe(true);
  });

  it('are named without credentials and queries', async () => {
    await expect(rig(['https://me:secret@lists.test/a?key=secret']).keeper.load()).rejects.toThrow(
      'the source "https://lists.test/a" of --adblock-rules is unavailable',
    );
  });

  it('bad lines are skipped and counted, comments are not', async () => {
    const opened = rig(['https://lists.test/a'], {
      'https://lists.test/a':
        '[Adblock Plus 2.0]\n! comment\n\n# comment\n||one.test^\nsite.test##.ad\n||bad$nonsense\n##\n/[/\n||two.test^\n',
    });
    await opened.keeper.load();
    expect(opened.loaded()).toEqual([{ lists: 1, rules: 3, skipped: 3, cosmetic: 1, kept: false }]);
    expect(blocks(opened, 'one')).toBe(true);
  });
});

it('expressions that cannot be matched in linear time are skipped and counted, at this start and at the next', async () => {
  const web = { 'https://lists.test/a': '||one.test^\n/ad(?=s)/\n/(a+)\\1/\n/(a+)+$/\n|http://whole.test/*/(a|b)^\n' };
  for (const kept of [false, true]) {
    const opened = rig(['https://lists.test/a'], web);
    await opened.keeper.load();
    expect(opened.loaded()).toEqual([{ lists: 1, rules: 3, skipped: 2, cosmetic: 0, kept }]);
    const rule = (path: string) => opened.keeper.blocker?.check({ url: `http://x.test/${path}`, type: 'Script', source: 'http://x.test/' });
    expect([rule('aa'), rule('ads'), rule(`${'a'.repeat(100_000)}!`)]).toEqual([{ kind: 'block', rule: '/(a+)+$/' }, undefined, undefined]);
    expect(opened.keeper.blocker?.ruleAgainst('http://whole.test/x/(a|b)/')).toBe('|http://whole.test/*/(a|b)^');
  }
});

it('of an address longer than rules are looked for in, the host counts whatever stands before it', async () => {
  const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': '||one.test^\n||two.test^*/end\n$removeparam=x\n' });
  await opened.keeper.load();
  const user = 'u'.repeat(5000);
  expect(opened.keeper.blocker?.ruleAgainst(`http://${user}:p@one.test/`)).toBe('||one.test^');
  expect(opened.keeper.blocker?.ruleAgainst(`http://two.test/${user}/end`)).toBeUndefined();
  const ask = (query: string) => opened.keeper.blocker?.check({ url: `http://x.test/?${query}`, type: 'XHR', source: 'http://x.test/' });
  expect(ask('x=1&y=2')).toEqual({ kind: 'rewrite', url: 'http://x.test/?y=2' });
  expect(ask(`x=1&y=${user}`)).toBeUndefined();
});

describe('a later look', () => {
  it('takes over what has changed, and does nothing where nothing has', async () => {
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': '||one.test^' });
    await opened.keeper.load();
    const before = opened.keeper.blocker;
    (await opened.keeper.reread())();
    expect(opened.keeper.blocker).toBe(before);
    opened.web['https://lists.test/a'] = '||two.test^';
    (await opened.keeper.reread())();
    expect([blocks(opened, 'one'), blocks(opened, 'two')]).toEqual([false, true]);
  });

  it('keeps the old lists if a source is unavailable, and logs it', async () => {
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': '||one.test^' });
    await opened.keeper.load();
    opened.web['https://lists.test/a'] = 500;
    (await opened.keeper.reread())();
    expect(blocks(opened, 'one')).toBe(true);
    expect(opened.logged.at(-1)).toEqual([
      'the adblock rules could not be reloaded: the old rules stay active',
      { reason: 'the source "https://lists.test/a" of --adblock-rules is unavailable: it responded with status 500' },
    ]);
  });
});

describe('a later answer that is no list', () => {
  it.each(NO_LISTS.slice(-5, -2))('leaves the old rules, and is told in the log: %s', async (_name, answer) => {
    const opened = rig(['https://lists.test/a'], { 'https://lists.test/a': '||one.test^' });
    await opened.keeper.load();
    opened.web['https://lists.test/a'] = answer;
    (await opened.keeper.reread())();
    expect(blocks(opened, 'one')).toBe(true);
    expect(opened.logged.at(-1)?.[0]).toContain('the old rules stay active');
  });
});

describe('engines on disk', () => {
  const web = () => ({ 'https://lists.test/a': '||one.test^' });

  it('are used again by the next start, in a private folder', async () => {
    await rig(['https://lists.test/a'], web()).keeper.load();
    const again = rig(['https://lists.test/a'], web());
    await again.keeper.load();
    expect(again.loaded()).toEqual([{ lists: 1, rules: 1, skipped: 0, cosmetic: 0, kept: true }]);
    expect(blocks(again, 'one')).toBe(true);
    expect((await stat(join(folder, 'kept'))).mode & 0o777).toBe(0o700);
    for (const path of await kept()) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 7)],
    ['changed', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])],
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('{"sha256":"x"}\n')],
  ])('one that is %s is built anew', async (_name, spoil) => {
    await rig(['https://lists.test/a'], web()).keeper.load();
    for (const path of await kept()) await writeFile(path, spoil(await readFile(path)));
    const again = rig(['https://lists.test/a'], web());
    await again.keeper.load();
    expect(again.loaded()).toMatchObject([{ kept: false }]);
    expect(blocks(again, 'one')).toBe(true);
    const third = rig(['https://lists.test/a'], web());
    await third.keeper.load();
    expect(third.loaded()).toMatchObject([{ kept: true }]);
  });

  it('are few: those of old lists go', async () => {
    const opened = rig(['https://lists.test/a'], web());
    for (let n = 0; n < 6; n++) {
      opened.web['https://lists.test/a'] = `||n${String(n)}.test^`;
      await opened.keeper.load();
    }
    expect(await kept()).toHaveLength(4);
  });

  it('that cannot be kept cost no start', async () => {
    await writeFile(join(folder, 'kept'), 'a file where the folder should be');
    const opened = rig(['https://lists.test/a'], web());
    await opened.keeper.load();
    expect(blocks(opened, 'one')).toBe(true);
    expect(opened.logged.map(([message]) => message)).toContain('the adblock engine cannot be cached: it is rebuilt at every start');
  });

  it('a folder that others may look into is closed', async () => {
    await mkdir(join(folder, 'kept'));
    await chmod(join(folder, 'kept'), 0o755);
    await rig(['https://lists.test/a'], web()).keeper.load();
    expect((await stat(join(folder, 'kept'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    [{ XDG_CACHE_HOME: '/xdg', HOME: '/home/me' }, '/xdg/platen/adblock-1'],
    [{ XDG_CACHE_HOME: 'relative', HOME: '/home/me' }, '/home/me/.cache/platen/adblock-1'],
  ])("lie in the user's cache folder", (environment, path) => {
    expect(engineFolder(environment)).toBe(path);
  });
});
