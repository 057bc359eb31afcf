import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lease } from '../../../../kernel/src/browser/pool/lease.js';
import { PlatenError } from '../../../../kernel/src/errors.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openPool } from '../open-pool.js';
import { browserProcesses, nothingIsLeft, profileFolders } from '../processes.js';
import { until } from '../../../helpers/until.js';

let site: Site;

beforeAll(async () => {
  site = await openSite({
    '/': '<!doctype html><h1>hello</h1>',
    '/attachment': { headers: { 'content-disposition': 'attachment; filename=kept.bin' }, body: 'bytes' },
  });
});

afterAll(() => site[Symbol.asyncDispose]());

async function render(lease: Lease): Promise<number> {
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  return (await lease.tab.page.screenshot({ format: 'png', fast: true })).length;
}

describe('waiting', () => {
  test('renders take their turns in order, no more at once than there are slots', async () => {
    await using pool = openPool({ capacity: 1 });
    const first = await pool.lease();
    const order: number[] = [];
    const waiting = [1, 2].map(async (name) => {
      await using lease = await pool.lease();
      order.push(name);
      return await render(lease);
    });
    expect(pool.pool.status()).toMatchObject({ busy: 1, waiting: 2, capacity: 1 });
    await first[Symbol.asyncDispose]();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
    expect(pool.pool.status()).toMatchObject({ busy: 0, waiting: 0 });
  });

  test('a render that gives up while it waits leaves the queue', async () => {
    await using pool = openPool({ capacity: 1 });
    const first = await pool.lease();
    const controller = new AbortController();
    const reason = new PlatenError('client_closed', 'gone');
    const given = pool.lease({ signal: controller.signal });
    const next = pool.lease();
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(pool.pool.status()).toMatchObject({ busy: 1, waiting: 1 });
    await first[Symbol.asyncDispose]();
    await render(await next);
  });

  test('closing refuses those who wait', async () => {
    const pool = openPool({ capacity: 1 });
    await pool.lease();
    const waiting = pool.lease();
    await Promise.all([pool[Symbol.asyncDispose](), expect(waiting).rejects.toMatchObject({ code: 'draining' })]);
    await expect(pool.lease()).rejects.toMatchObject({ code: 'draining' });
    await nothingIsLeft();
  });
});

describe('giving up', () => {
  test.each([{ exclusive: false }, { exclusive: true }])(
    'while the browser starts leaves nothing behind ($exclusive)',
    async ({ exclusive }) => {
      const controller = new AbortController();
      {
        await using pool = openPool();
        const opening = pool.lease({ signal: controller.signal, exclusive });
        await until(() => pool.pool.status().busy === 1);
        controller.abort(new PlatenError('render_timeout', 'too late'));
        await expect(opening).rejects.toMatchObject({ code: 'render_timeout' });
        await until(() => pool.pool.status().busy === 0);
        // The shared browser goes on to serve others; an exclusive one has nobody to serve.
        if (exclusive) await until(() => pool.pool.status().browsers === 0);
        else await render(await pool.lease());
      }
      await nothingIsLeft();
    },
  );

  test('closing in the middle of a launch ends it', async () => {
    const pool = openPool();
    const opening = pool.lease();
    const refused = expect(opening).rejects.toMatchObject({ code: 'draining' });
    await until(async () => (await profileFolders()).length > 0);
    await pool[Symbol.asyncDispose]();
    await refused;
    await nothingIsLeft();
  });

  test('closing while pages are opened ahead ends that too', async () => {
    const pool = openPool({ warm: 3 });
    await pool.pool.start();
    await pool[Symbol.asyncDispose]();
    expect(pool.pool.status()).toMatchObject({ browsers: 0, warm: 0, busy: 0 });
    await nothingIsLeft();
  });

  test('ends the calls of a render at once, with the reason', async () => {
    await using pool = openPool();
    const controller = new AbortController();
    const lease = await pool.lease({ signal: controller.signal });
    const reason = new PlatenError('client_closed', 'gone');
    const calls = [lease.tab.page.evaluate(() => new Promise(() => undefined)), lease.tab.page.lifecycle.reached('load')];
    const all = Promise.allSettled(calls);
    controller.abort(reason);
    expect(await all).toEqual(calls.map(() => ({ status: 'rejected', reason })));
    await expect(lease.tab.page.goto(site.url('/'))).rejects.toBe(reason);
    await lease[Symbol.asyncDispose]();
  });
});

describe('pages opened ahead', () => {
  test('are used once, refilled behind the render, and closed with the pool', async () => {
    await using pool = openPool({ warm: 2 });
    await pool.pool.start();
    await until(() => pool.pool.status().warm === 2);
    const ids = new Set<string>();
    for (let turn = 0; turn < 3; turn++) {
      const lease = await pool.lease();
      ids.add(lease.tab.page.targetId);
      await render(lease);
      await lease[Symbol.asyncDispose]();
      await until(() => pool.pool.status().warm === 2);
    }
    expect(ids.size).toBe(3);
  });

  test('take on the profile of the render', async () => {
    await using pool = openPool({ warm: 1 });
    await pool.pool.start();
    await until(() => pool.pool.status().warm === 1);
    await using lease = await pool.lease({
      profile: { width: 333, userAgent: 'Mozilla/5.0 (iPhone) Safari/1', platform: 'Amiga', acceptLanguage: 'de-AT,de' },
    });
    expect(pool.pool.status().warm).toBe(0);
    await lease.tab.page.goto(site.url('/'));
    const seen = await lease.tab.page.evaluate(() => [innerWidth, navigator.userAgent, navigator.platform, navigator.languages.join()]);
    expect(seen).toEqual([333, 'Mozilla/5.0 (iPhone) Safari/1', 'Amiga', 'de-AT,de']);
    const { headers } = site.requests.at(-1) ?? {};
    expect([headers?.['user-agent'], headers?.['accept-language'], headers?.['sec-ch-ua']]).toEqual([
      'Mozilla/5.0 (iPhone) Safari/1',
      'de-AT,de;q=0.9',
      undefined,
    ]);
  });

  test('are not opened while all slots are taken', async () => {
    await using pool = openPool({ capacity: 1, warm: 1 });
    const lease = await pool.lease();
    await pool.pool.start();
    await render(lease);
    expect(pool.pool.status().warm).toBe(0);
    await lease[Symbol.asyncDispose]();
    await until(() => pool.pool.status().warm === 1);
  });
});

describe('isolation', () => {
  test('each render has the record of its own connections', async () => {
    await using pool = openPool();
    await using one = await pool.lease();
    await using two = await pool.lease();
    await one.tab.page.goto(site.url('/'));
    expect(one.context.entries.map(({ port, outcome }) => [port, outcome])).toEqual([[site.port, 'allowed']]);
    expect(two.context.entries).toEqual([]);
  });

  test('downloads are not kept', async () => {
    await using pool = openPool();
    await using lease = await pool.lease();
    await expect(lease.tab.page.goto(site.url('/attachment'))).rejects.toMatchObject({ code: 'target_not_page' });
  });
});

describe('renewal', () => {
  test('F13: fails no render: ten of them, three at a time, a new browser after five', async () => {
    await using pool = openPool({ capacity: 3, recycleAfter: 5, warm: 1 });
    const pids = new Set<number>();
    const sizes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        await using lease = await pool.lease();
        const { processInfo } = await lease.tab.page.send('SystemInfo.getProcessInfo').catch(() => ({ processInfo: [] }));
        for (const { type, id } of processInfo) if (type === 'browser') pids.add(id);
        return await render(lease);
      }),
    );
    expect(sizes.every((size) => size > 0)).toBe(true);
    // The old browser goes when its last render has gone.
    await until(() => pool.pool.status().browsers === 1);
    expect(pool.pool.status().restarts).toBe(0);
    await render(await pool.lease());
  });

  test('F13: follows from memory too', async () => {
    await using pool = openPool({ recycleMemoryBytes: 1, heartbeatMs: 50 });
    const first = await pool.lease();
    await render(first);
    await until(() => pool.pool.status().browsers === 2);
    // The render on the old browser is not disturbed.
    await render(first);
    await first[Symbol.asyncDispose]();
  });
});

test('an exclusive browser has the switches that were asked for, and ends with its render', async () => {
  await using pool = openPool();
  const lease = await pool.lease({ exclusive: true, switches: ['--platen-test-switch'] });
  await render(lease);
  expect((await browserProcesses()).some(({ command }) => command.includes('--platen-test-switch'))).toBe(true);
  await lease[Symbol.asyncDispose]();
  await until(() => pool.pool.status().browsers === 0);
  await nothingIsLeft();
});

test('without a browser every render hears so, and what to do', async () => {
  await using pool = openPool({ browserPath: '/nowhere/chromium' });
  await expect(pool.lease()).rejects.toMatchObject({
    code: 'browser_unavailable',
    message: expect.stringMatching(/\(--browser-path\) cannot be run: there is no such file$/) as string,
    cause: expect.objectContaining({ message: '--browser-path /nowhere/chromium: there is no such file' }) as Error,
  });
  expect(pool.pool.status()).toMatchObject({ browsers: 0, busy: 0 });
});

test('a file that is there and no browser is not said to be missing', async () => {
  await using pool = openPool({ browserPath: import.meta.filename });
  await expect(pool.lease()).rejects.toMatchObject({
    code: 'browser_unavailable',
    message: expect.stringMatching(/\(--browser-path\) cannot be run: it is not executable$/) as string,
    cause: expect.objectContaining({ message: `--browser-path ${import.meta.filename}: it is not executable` }) as Error,
  });
});

test('a browser that does not start is an error that names its reason', async () => {
  await using pool = openPool({ browserPath: '/bin/false' });
  await expect(pool.lease()).rejects.toMatchObject({ code: 'browser_unavailable' });
  await nothingIsLeft();
});
