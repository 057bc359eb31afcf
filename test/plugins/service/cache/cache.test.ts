import { EventEmitter, once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EntryStore } from '../../../../plugins/service/cache/src/entry-store.js';
import { until } from '../../../helpers/until.js';
import { closeAll, closeNow, makeFolder, openCached, picture } from './cached-server.js';

afterEach(async () => {
  vi.useRealTimers();
  await closeAll();
});

const PAGE = 'url=http://a.test/';

async function textOf(answer: Promise<Response>): Promise<string> {
  return await (await answer).text();
}

describe('GET', () => {
  it('is served from the cache: the same bytes, type, name and headers, and no second render', async () => {
    const server = await openCached();
    const first = await server.get(PAGE);
    const second = await server.get(PAGE);
    expect([await first.text(), await second.text()]).toEqual(['picture 1', 'picture 1']);
    expect(server.renders()).toBe(1);
    for (const name of ['content-type', 'content-disposition', 'content-length', 'x-target-status', 'etag', 'last-modified'])
      expect(second.headers.get(name), name).toBe(first.headers.get(name));
    expect(first.headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
    expect(second.headers.get('cache-status')).toMatch(/^platen; hit; ttl=3(600|599)$/);
    expect(second.headers.get('age')).toMatch(/^[01]$/);
    expect(second.headers.get('cache-control')).toBe('private, max-age=3600');
    expect([first.headers.has('server-timing'), second.headers.has('server-timing')]).toEqual([true, false]);
    expect(server.records.map(({ cache }) => cache)).toEqual(['miss', 'hit']);
  });

  it('is served whatever the order and spelling of the same parameters, and not for others', async () => {
    const server = await openCached();
    await server.get(`${PAGE}&browser_width=800&full_page=true`);
    expect(await textOf(server.get(`full_page&browser_width=800&${PAGE}&image_selector=`))).toBe('picture 1');
    expect(await textOf(server.get(`${PAGE}&browser_width=801&full_page=true`))).toBe('picture 2');
    expect(server.renders()).toBe(2);
  });

  it('is served however the URL of the same target is spelled', async () => {
    const server = await openCached();
    await server.get('url=http://a.test/b');
    for (const url of ['HTTP://A.test:80/b', 'http://a.test/c/../b', ' http://a.test/b '])
      expect(await textOf(server.get(`url=${encodeURIComponent(url)}`)), url).toBe('picture 1');
    expect(await textOf(server.get('url=http://a.test/B'))).toBe('picture 2');
  });

  it('HEAD is served from it too', async () => {
    const server = await openCached();
    await server.get(PAGE);
    const head = await server.get(PAGE, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe('9');
    expect(head.headers.get('cache-status')).toContain('hit');
    expect(server.renders()).toBe(1);
  });

  it('answers conditional requests with 304, on a miss too', async () => {
    const server = await openCached();
    const first = await server.get(PAGE);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    const since = first.headers.get('last-modified') ?? '';
    const answers = await Promise.all([
      server.get(PAGE, { headers: { 'if-none-match': etag } }),
      server.get(PAGE, { headers: { 'if-none-match': `"other", ${etag}` } }),
      server.get(PAGE, { headers: { 'if-modified-since': since } }),
      server.get(PAGE, { headers: { 'if-none-match': '"other"', 'if-modified-since': since } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 200]);
    expect(answers[0].headers.get('etag')).toBe(etag);
    await server.get(PAGE, { method: 'DELETE' });
    const again = await openCached({ render: picture(1) });
    expect((await again.get(PAGE, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(again.renders()).toBe(1);
  });

  it('refuses what another result is presumed for with 412, kept or just made', async () => {
    const server = await openCached();
    const first = await server.get(PAGE);
    const [etag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
    const long = 'Thu, 01 Jan 1998 00:00:00 GMT';
    const statusOf = async (headers: Record<string, string>, method = 'GET') => (await server.get(PAGE, { headers, method })).status;
    for (const match of [etag, `"other", ${etag}`, '*']) expect(await statusOf({ 'if-match': match }), match).toBe(200);
    for (const match of ['"other"', `W/${etag}`]) expect(await statusOf({ 'if-match': match }), match).toBe(412);
    expect(await statusOf({ 'if-match': '"other"' }, 'HEAD')).toBe(412);
    expect(await statusOf({ 'if-match': '"other"', 'if-none-match': etag })).toBe(412);
    expect([await statusOf({ 'if-unmodified-since': long }), await statusOf({ 'if-unmodified-since': modified })]).toEqual([412, 200]);
    expect([await statusOf({ 'if-unmodified-since': 'never' }), await statusOf({ 'if-match': etag, 'if-unmodified-since': long })]).toEqual(
      [200, 200],
    );
    const refused = await server.get('url=http://b.test/', { headers: { 'if-match': '"other"' } });
    expect([refused.status, refused.headers.get('etag'), ((await refused.json()) as { code: string }).code]).toEqual([
      412,
      null,
      'precondition_failed',
    ]);
  });

  it('survives a restart', async () => {
    const folder = await makeFolder();
    const first = await openCached({ folder });
    await first.get(PAGE);
    await closeNow(first);
    const second = await openCached({ folder });
    expect(await textOf(second.get(PAGE))).toBe('picture 1');
    expect(second.renders()).toBe(0);
  });

  it('is refused where Accept rules the kept type out, which stays kept', async () => {
    const server = await openCached();
    await server.get(PAGE);
    expect((await server.get(PAGE, { headers: { accept: 'text/html' } })).status).toBe(406);
    expect((await server.get(`${PAGE}&full_page`, { headers: { accept: 'text/html' } })).status).toBe(406);
    expect(server.renders()).toBe(1);
    expect((await server.get(PAGE)).status).toBe(200);
  });

  it('a changed plugin, flag or version makes other keys; one that says where it listens does not', async () => {
    const folder = await makeFolder();
    const flagged = definePlugin({
      name: 'flagged',
      flags: {
        quality: { type: 'integer', description: 'Quality.' },
        key: { type: 'string', description: 'Key.', 'x-secret': true },
        'server-other': { type: 'string', description: 'Other.' },
      },
    });
    const rendersWith = async (flags: object, plugins = [flagged]) => {
      const server = await openCached({ folder, plugins, flags: { ...flags } });
      await (await server.get(PAGE)).arrayBuffer();
      await closeNow(server);
      return server.renders();
    };
    expect(await rendersWith({})).toBe(1);
    expect(await rendersWith({})).toBe(0);
    expect(await rendersWith({ 'server-other': 'x', key: 'canary', 'log-level': 'debug' })).toBe(0);
    expect(await rendersWith({ quality: 5 })).toBe(1);
    expect(await rendersWith({}, [])).toBe(1);
  });
});

describe('POST', () => {
  it('always renders, and what it renders is served from then on', async () => {
    const server = await openCached();
    const body = { url: 'http://a.test/' };
    await server.get(PAGE);
    const posted = await server.post(body);
    expect(posted.headers.get('cache-status')).toBe('platen; fwd=method; stored');
    expect(await posted.text()).toBe('picture 2');
    expect(await textOf(server.get(PAGE))).toBe('picture 2');
    expect(await textOf(server.post(body))).toBe('picture 3');
    expect(await textOf(server.get(PAGE))).toBe('picture 3');
    await server.kept(1);
  });
});

describe('--server-cache-ttl', () => {
  it('past it a result is rendered anew', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const server = await openCached({ flags: { 'server-cache-ttl': 60 } });
    await server.get(PAGE);
    await server.kept(1);
    vi.setSystemTime(Date.now() + 50_000);
    const old = await server.get(PAGE);
    expect(old.headers.get('age')).toMatch(/^5\d$/);
    expect(old.headers.get('cache-status')).toMatch(/^platen; hit; ttl=\d$/);
    vi.setSystemTime(Date.now() + 10_000);
    const fresh = await server.get(PAGE);
    expect(fresh.headers.get('cache-status')).toBe('platen; fwd=stale; stored');
    expect(await fresh.text()).toBe('picture 2');
  });

  it('past it a result that is still being written is not shared', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const writing = new EventEmitter();
    vi.spyOn(EntryStore.prototype, 'put').mockImplementationOnce(async () => {
      await once(writing, 'end');
      return false;
    });
    const server = await openCached({ flags: { 'server-cache-ttl': 60 } });
    await server.get(PAGE);
    vi.setSystemTime(Date.now() + 59_000);
    expect((await server.get(PAGE)).headers.get('cache-status')).toBe('platen; hit; ttl=1');
    vi.setSystemTime(Date.now() + 1_000);
    const fresh = await server.get(PAGE);
    expect(fresh.headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
    expect(await fresh.text()).toBe('picture 2');
    writing.emit('end');
  });
});

describe('--server-cache', () => {
  it('off: nothing is cached, and there is nothing to purge', async () => {
    const server = await openCached({ flags: { 'server-cache': false } });
    const first = await server.get(PAGE);
    expect(first.headers.has('cache-status')).toBe(false);
    await server.get(PAGE);
    expect(server.renders()).toBe(2);
    expect((await server.get(PAGE, { method: 'DELETE' })).status).toBe(404);
  });

  it("alone: in the user's cache folder, for this user alone", async () => {
    const folder = await makeFolder();
    vi.stubEnv('XDG_CACHE_HOME', folder);
    const server = await openCached({ folder, flags: { 'server-cache': true } });
    await server.get(PAGE);
    await until(async () => (await server.files()).some((file) => file.startsWith(join(folder, 'platen'))));
    vi.unstubAllEnvs();
  });

  it('a folder that cannot be written ends the start, and says which', async () => {
    const file = join(await makeFolder(), 'file');
    await writeFile(file, 'no folder');
    const starting = openCached({ folder: join(file, 'below') });
    await expect(starting).rejects.toMatchObject({ code: 'boot_invalid_flag', message: expect.stringContaining(file) });
    expect(await readFile(file, 'utf8')).toBe('no folder');
  });

  it('a folder that is removed while the server runs is made again by the next result', async () => {
    const server = await openCached();
    await server.get(PAGE);
    await server.kept(1);
    await rm(server.folder, { recursive: true });
    expect((await server.get(PAGE)).headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
    await server.kept(1);
    expect((await server.get(PAGE)).headers.get('cache-status')).toMatch(/^platen; hit/);
  });

  it('a result is not called stored where the one before could not be, until one can', async () => {
    const server = await openCached();
    const status = async (path: string) => (await server.get(`${PAGE}${path}`)).headers.get('cache-status');
    await status('first');
    await server.kept(1);
    await rm(server.folder, { recursive: true });
    await writeFile(server.folder, 'in the way');
    await status('second');
    // The answer goes out before its result is written.
    await until(async () => (await status('third')) === 'platen; fwd=uri-miss');
    await rm(server.folder);
    await status('fourth');
    await server.kept(1);
    expect(await status('fifth')).toBe('platen; fwd=uri-miss; stored');
  });
});
