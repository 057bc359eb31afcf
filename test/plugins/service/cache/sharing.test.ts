import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { definePlugin, PlatenError, type RenderResult } from '@platen/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import type { FakeRender } from '../../../server/test-server.js';
import { closeAll, openCached, renderedAs } from './cached-server.js';

afterEach(closeAll);

const PAGE = 'url=http://a.test/';
const MIB = 1024 ** 2;

/** A render that ends when it is told to, and knows whether it was called off. */
function createHeld() {
  const held: { readonly signal: AbortSignal | undefined; resolve(result: Promise<RenderResult>): void; reject(error: unknown): void }[] =
    [];
  const render: FakeRender = (_plan, { signal }) =>
    new Promise((resolve, reject) => {
      held.push({ signal, resolve, reject });
      signal?.addEventListener('abort', () => {
        reject(new PlatenError('client_closed', 'called off'));
      });
    });
  return { held, render };
}

/** How many requests have reached the cache. */
function createWitness() {
  const seen = { count: 0 };
  const plugin = definePlugin({
    name: 'witness',
    serve({ hooks }) {
      hooks.beforeRender.tap('witness', () => {
        seen.count += 1;
        return undefined;
      });
    },
  });
  return { seen, plugin };
}

/** An answer whose body is read only when the test does so. */
async function ask(url: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

describe('GETs of the same at the same time', () => {
  it('share one render', async () => {
    const { held, render } = createHeld();
    const { seen, plugin } = createWitness();
    const server = await openCached({ render, plugins: [plugin] });
    const answers = Array.from({ length: 20 }, () => server.get(PAGE));
    await until(() => seen.count === 20 && held.length > 0);
    held[0]?.resolve(renderedAs(Buffer.from('shared')));
    const texts = await Promise.all((await Promise.all(answers)).map((answer) => answer.text()));
    expect(new Set(texts)).toEqual(new Set(['shared']));
    expect(server.renders()).toBe(1);
    const statuses = (await Promise.all(answers)).map((answer) => answer.headers.get('cache-status'));
    expect(statuses.filter((status) => status === 'platen; fwd=uri-miss; stored')).toHaveLength(1);
  });

  it('one that leaves does not end it, the last one does', async () => {
    const { held, render } = createHeld();
    const { seen, plugin } = createWitness();
    const server = await openCached({ render, plugins: [plugin] });
    const controllers = Array.from({ length: 3 }, () => new AbortController());
    const over = () => server.records.filter(({ status }) => status === 499).length;
    const answers = controllers.map(({ signal }) => server.get(PAGE, { signal }).catch(() => 'left'));
    await until(() => seen.count === 3 && held.length === 1);
    controllers[0]?.abort();
    controllers[1]?.abort();
    await until(() => over() === 2);
    expect(held[0]?.signal?.aborted).toBe(false);
    controllers[2]?.abort();
    await until(() => held[0]?.signal?.aborted === true);
    expect(await Promise.all(answers)).toEqual(['left', 'left', 'left']);
    const next = server.get(PAGE);
    await until(() => held.length === 2);
    held[1]?.resolve(renderedAs(Buffer.from('anew')));
    expect(await (await next).text()).toBe('anew');
  });

  it('all get the failure of the one render', async () => {
    const { held, render } = createHeld();
    const { seen, plugin } = createWitness();
    const server = await openCached({ render, plugins: [plugin] });
    // A request joins at once where a render is under way; before that, it may still be reading the store.
    const first = server.get(PAGE);
    await until(() => held.length > 0);
    const answers = [first, server.get(PAGE), server.get(PAGE)];
    await until(() => seen.count === 3);
    held[0]?.reject(new PlatenError('page_crashed', 'it crashed'));
    for (const answer of await Promise.all(answers)) expect(await answer.json()).toMatchObject({ code: 'page_crashed' });
    expect(server.renders()).toBe(1);
  });

  it('POST joins none, and its result is the one that stays', async () => {
    const { held, render } = createHeld();
    const server = await openCached({ render });
    const waiting = server.get(PAGE);
    await until(() => held.length === 1);
    const posting = server.post({ url: 'http://a.test/' });
    await until(() => held.length === 2);
    held[1]?.resolve(renderedAs(Buffer.from('posted')));
    expect(await (await posting).text()).toBe('posted');
    expect(await (await server.get(PAGE)).text()).toBe('posted');
    held[0]?.resolve(renderedAs(Buffer.from('older')));
    expect(await (await waiting).text()).toBe('older');
    await server.kept(1);
    expect(await (await server.get(PAGE)).text()).toBe('posted');
    expect(server.renders()).toBe(2);
  });
});

describe('an output that streams', () => {
  it('is shared as it grows, at the speed of each, and kept once it is whole', async () => {
    const body = new PassThrough();
    const server = await openCached({ render: () => renderedAs(body) });
    body.write('begin ');
    const first = await ask(`${server.url}/?${PAGE}`);
    const second = await ask(`${server.url}/?${PAGE}`);
    expect(first.headers['cache-status']).toBe('platen; fwd=uri-miss; stored');
    expect(second.headers['cache-status']).toBe('platen; fwd=uri-miss; collapsed');
    expect(String((await once(second, 'data'))[0])).toBe('begin ');
    body.write('middle ');
    expect(String((await once(second, 'data'))[0])).toBe('middle ');
    body.end('end');
    const texts = await Promise.all([first, second].map((answer) => answer.setEncoding('utf8').toArray()));
    expect(texts.map((parts) => parts.join(''))).toEqual(['begin middle end', 'end']);
    const hit = await server.get(PAGE);
    expect(hit.headers.get('cache-status')).toContain('hit');
    expect(hit.headers.get('content-length')).toBe('16');
    expect(await hit.text()).toBe('begin middle end');
    await server.kept(1);
    expect(await (await server.get(PAGE)).text()).toBe('begin middle end');
    expect(server.renders()).toBe(1);
  });

  it('of 200 MB is never held: neither while it is made, nor for a client that does not read, nor on a hit', async () => {
    const block = Buffer.alloc(MIB, 'film');
    const source = () =>
      Readable.from(
        (function* () {
          for (let at = 0; at < 200; at += 1) yield block;
        })(),
        { objectMode: false },
      );
    const server = await openCached({ render: () => renderedAs(source()) });
    const expected = createHash('sha256');
    for (let at = 0; at < 200; at += 1) expected.update(block);
    const digest = expected.digest('hex');
    const before = process.memoryUsage().rss;
    const idle = await ask(`${server.url}/?${PAGE}`);
    const read = async () => {
      const hash = createHash('sha256');
      for await (const chunk of await ask(`${server.url}/?${PAGE}`)) hash.update(chunk as Buffer);
      return hash.digest('hex');
    };
    expect(await read()).toBe(digest);
    await server.kept(1);
    expect(await read()).toBe(digest);
    expect(server.renders()).toBe(1);
    expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(100);
    idle.destroy();
  });

  it('one that is interrupted is interrupted for all, and is not stored', async () => {
    const body = new PassThrough();
    const server = await openCached({ render: () => renderedAs(body) });
    body.write('begin');
    const answers = [await ask(`${server.url}/?${PAGE}`), await ask(`${server.url}/?${PAGE}`)];
    const ends = answers.map((answer) =>
      answer.toArray().then(
        () => 'whole',
        () => 'broken',
      ),
    );
    body.destroy(new PlatenError('page_crashed', 'it crashed'));
    expect(await Promise.all(ends)).toEqual(['broken', 'broken']);
    await until(async () => (await server.files()).length === 0);
  });

  it('one that ends before the length that it said is not kept', async () => {
    const server = await openCached({
      render: async () => {
        const result = await renderedAs(Readable.from(['short'], { objectMode: false }));
        return { ...result, output: { ...result.output, length: 100 } };
      },
    });
    await ask(`${server.url}/?${PAGE}`).then((answer) => answer.toArray().catch(() => []));
    await until(async () => (await server.files()).length === 0);
    expect(server.renders()).toBe(1);
  });

  it('a client that leaves does not end it, the last one does, and its part goes', async () => {
    const body = new PassThrough();
    let called: AbortSignal | undefined;
    const server = await openCached({
      render: (_plan, { signal }) => {
        called = signal;
        return renderedAs(body);
      },
    });
    body.write('begin');
    const [first, second] = [await ask(`${server.url}/?${PAGE}`), await ask(`${server.url}/?${PAGE}`)];
    first.destroy();
    await until(() => server.records.length === 1);
    expect(called?.aborted).toBe(false);
    body.write(' more');
    await once(second, 'data');
    second.destroy();
    await until(() => called?.aborted === true && body.destroyed);
    await until(async () => (await server.files()).length === 0);
  });

  it('HEAD leaves as soon as it has its headers', async () => {
    const body = new PassThrough();
    let called: AbortSignal | undefined;
    const server = await openCached({
      render: (_plan, { signal }) => {
        called = signal;
        return renderedAs(body);
      },
    });
    body.write('begin');
    expect((await server.get(PAGE, { method: 'HEAD' })).status).toBe(200);
    await until(() => called?.aborted === true && body.destroyed);
  });

  it('one that fails before its first byte is a problem document', async () => {
    const server = await openCached({
      render: () => {
        const body = new PassThrough();
        body.destroy(new PlatenError('encode_failed', 'no encoder'));
        return renderedAs(body);
      },
    });
    const answer = await server.get(PAGE);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'encode_failed' });
  });

  it('larger than the cache: sent completely, and not stored', async () => {
    const bytes = Buffer.alloc(20 * MIB, 7);
    const render = () => renderedAs(Readable.from([bytes.subarray(0, 9 * MIB), bytes.subarray(9 * MIB)], { objectMode: false }));
    const server = await openCached({ render, flags: { 'server-cache-size-limit': 10 * MIB } });
    for (let time = 1; time <= 2; time += 1) {
      const answer = await ask(`${server.url}/?${PAGE}`);
      expect(Buffer.concat((await answer.toArray()) as Buffer[]).equals(bytes)).toBe(true);
      await until(async () => (await server.files()).length === 0);
      expect(server.renders()).toBe(time);
    }
  });
});

describe('additional assets of a cached result', () => {
  const withAsset: FakeRender = async (_plan, { store }) => {
    const head = { name: 'har', contentType: 'application/json', extension: 'har' };
    const kept = await store?.put(head, Buffer.from('{"log":1}'), new AbortController().signal);
    return await renderedAs(Buffer.from('picture'), { assets: { kept: kept === undefined ? [] : [kept], missing: [] } });
  };
  const linkOf = (answer: Response) => /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? 'none';

  it('are linked again, each time for a whole lifetime', async () => {
    const server = await openCached({ render: withAsset });
    const first = await server.get(PAGE);
    await server.kept(1);
    const second = await server.get(PAGE);
    expect(linkOf(second)).toBe(linkOf(first));
    expect(second.headers.get('cache-status')).toContain('hit');
    expect(await (await fetch(server.url + linkOf(second))).text()).toBe('{"log":1}');
  });

  it('a result whose asset is gone is rendered anew', async () => {
    const server = await openCached({ render: withAsset });
    const first = linkOf(await server.get(PAGE));
    await server.kept(1);
    const id = new URL(first, server.url).searchParams.get('id') ?? '';
    // As where the disk was tidied.
    await rm(join(server.assetFolder, id));
    let second = await server.get(PAGE);
    // Its render may be about to be forgotten: until then it is shared, without the asset.
    await until(async () => !second.headers.has('x-missing-assets') || !(second = await server.get(PAGE)).headers.has('x-missing-assets'));
    expect(second.headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
    expect(linkOf(second)).not.toBe(first);
  });
});
