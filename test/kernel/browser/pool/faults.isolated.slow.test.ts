import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lease } from '../../../../kernel/src/browser/pool/lease.js';
import { watchProcess } from '../../../../kernel/src/browser/process/system-processes.js';
import { PlatenError } from '../../../../kernel/src/errors.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openPool } from '../open-pool.js';
import { browserProcesses, isBrowser, isNetworkService, isRenderer, nothingIsLeft, profileFolders } from '../processes.js';
import { until } from '../../../helpers/until.js';

let site: Site;

beforeAll(async () => {
  site = await openSite({
    '/': '<!doctype html><h1>hello</h1>',
    '/loop':
      '<!doctype html><h1>loop</h1><script>const x = new XMLHttpRequest(); x.open("GET", "/looping", false); x.send(); for (;;);</script>',
    '/popups': '<!doctype html><script>for (let i = 0; i < 50; i++) window.open("/?" + i); document.title = "opened"</script>',
    '/never': () => undefined,
    '/gone': '<!doctype html><script>window.close(); document.title = "still here"</script>',
  });
});

afterAll(() => site[Symbol.asyncDispose]());

/** Resolves when the page is in its loop. */
async function loop(lease: Lease): Promise<void> {
  const before = site.requests.length;
  await lease.tab.page.goto(site.url('/loop'));
  await until(() => site.requests.slice(before).some(({ url }) => url === '/looping'));
}

async function render(lease: Lease): Promise<void> {
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  await lease.tab.page.screenshot({ format: 'png', fast: true });
}

/** Kills the network service of the one browser; resolves when it is gone. */
async function killNetworkService(): Promise<void> {
  const find = async () => (await browserProcesses()).filter(isNetworkService);
  const before = await find();
  expect(before).toHaveLength(1);
  for (const { pid } of before) process.kill(pid, 'SIGKILL');
  await until(async () => (await find()).every(({ pid }) => pid !== before[0]?.pid));
}

/** Renderers of this process's browsers. */
async function renderers(): Promise<number> {
  return (await browserProcesses()).filter(isRenderer).length;
}

test('a crash of the page rejects its pending calls at once, and harms no other page', async () => {
  await using pool = openPool();
  await using other = await pool.lease();
  const lease = await pool.lease();
  await lease.tab.page.goto(site.url('/'));
  const pending = [lease.tab.page.evaluate(() => new Promise(() => undefined)), lease.tab.page.send('Page.crash')];
  expect(await Promise.allSettled(pending)).toEqual(
    pending.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'page_crashed' }) as unknown })),
  );
  await expect(lease.tab.page.goto(site.url('/'))).rejects.toMatchObject({ code: 'page_crashed' });
  expect(lease.browserGone).toBe(false);
  await lease[Symbol.asyncDispose]();
  await render(other);
  await render(await pool.lease());
  expect(pool.pool.status()).toMatchObject({ browsers: 1, restarts: 0 });
});

test('an answer that is too long for the server is an error, and harms nothing else', async () => {
  await using pool = openPool();
  await using lease = await pool.lease();
  // A control character is six bytes long in a message.
  const answer = lease.tab.page.evaluate(() => String.fromCharCode(1).repeat(5e7));
  await expect(answer).rejects.toMatchObject({ code: 'capture_too_large' });
  expect(await lease.tab.page.evaluate(() => 'here')).toBe('here');
});

test.runIf(process.platform === 'linux').each(['browser', 'process'])('crash handlers that hang end with their %s', async (end) => {
  const listeners = process.listeners('exit');
  const pool = openPool();
  await render(await pool.lease({ variant: 'full' }));
  const handlers = (await browserProcesses()).filter(({ command }) => command.includes('crashpad_handler'));
  for (const { pid } of handlers) process.kill(pid, 'SIGSTOP');
  if (end === 'process') {
    const added = process.listeners('exit').filter((listener) => !listeners.includes(listener));
    expect(added).toHaveLength(1);
    const watched = handlers.map(({ pid }) => watchProcess(pid));
    const latest = Date.now() + 10_000;
    added[0]?.call(process, 0);
    // Without yielding: as soon as it can, the pool closes a browser that is gone.
    while (watched.some((handler) => handler?.ended === false) && Date.now() < latest);
    expect(watched.map((handler) => handler?.ended)).toEqual(handlers.map(() => true));
  }
  await pool[Symbol.asyncDispose]();
  await nothingIsLeft();
});

test('a page that crashed before it was used is not handed out', async () => {
  await using pool = openPool({ warm: 1 });
  await pool.pool.start();
  await until(() => pool.pool.status().warm === 1);
  const before = (await browserProcesses()).filter(isRenderer);
  expect(before.length).toBeGreaterThan(0);
  for (const { pid } of before) process.kill(pid, 'SIGKILL');
  await until(() => pool.pool.status().warm === 0);
  await render(await pool.lease());
});

test('a browser whose network service is killed is replaced: no page of it is handed out', async () => {
  await using pool = openPool({ warm: 1 });
  await pool.pool.start();
  await until(() => pool.pool.status().warm === 1);
  await render(await pool.lease());
  await pool.networkFound;
  await killNetworkService();
  for (let turn = 0; turn < 3; turn++) await render(await pool.lease());
  expect(pool.pool.status().restarts).toBe(1);
});

test('a navigation that loses the network service says that the browser is gone', async () => {
  await using pool = openPool();
  const lease = await pool.lease();
  const before = site.requests.length;
  const going = lease.tab.page.goto(site.url('/never'));
  await until(() => site.requests.slice(before).some(({ url }) => url === '/never'));
  await pool.networkFound;
  await killNetworkService();
  await expect(going).rejects.toThrow();
  expect(lease.browserGone).toBe(true);
});

test('an endless loop is left by its deadline, the renderer goes, and the next render works', async () => {
  await using pool = openPool();
  const reason = new PlatenError('render_timeout', 'time is up');
  for (let turn = 0; turn < 3; turn++) {
    const controller = new AbortController();
    const lease = await pool.lease({ signal: controller.signal });
    await loop(lease);
    expect(await renderers()).toBeGreaterThan(0);
    const stuck = lease.tab.page.evaluate(() => 1);
    controller.abort(reason);
    await expect(stuck).rejects.toBe(reason);
    await lease[Symbol.asyncDispose]();
  }
  await until(async () => (await renderers()) === 0);
  await render(await pool.lease());
});

test('a call has a deadline of its own', async () => {
  await using pool = openPool();
  await using lease = await pool.lease();
  await loop(lease);
  const call = lease.tab.page.send('Runtime.evaluate', { expression: '1' }, { timeoutMs: 50 });
  await expect(call).rejects.toMatchObject({ code: 'render_timeout', details: { unmet: 'Runtime.evaluate' } });
});

test('a target that never answers is waited for until the render gives up', async () => {
  await using pool = openPool();
  const controller = new AbortController();
  const lease = await pool.lease({ signal: controller.signal });
  const before = site.requests.length;
  const going = lease.tab.page.goto(site.url('/never'));
  await until(() => site.requests.length > before);
  const reason = new PlatenError('client_closed', 'gone');
  controller.abort(reason);
  await expect(going).rejects.toBe(reason);
  await lease[Symbol.asyncDispose]();
});

test.each(['shell', 'full'] as const)('popups do not get in the way, and go with the render (%s)', async (variant) => {
  await using pool = openPool();
  const lease = await pool.lease({ variant });
  await lease.tab.page.goto(site.url('/popups'));
  await lease.tab.page.lifecycle.reached('load');
  await lease.tab.page.evaluateInMainWorld('void open("/")');
  await until(() => lease.tab.page.targets.all.length > 1);
  await expect(
    lease.tab.page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => {
            resolve(document.visibilityState);
          }),
        ),
    ),
  ).resolves.toBe('visible');
  await lease.tab.page.screenshot({ format: 'png', fast: true });
  await lease[Symbol.asyncDispose]();
  expect(lease.tab.page.targets.all).toEqual([]);
  await render(await pool.lease({ variant }));
});

test('a page that closes itself stays, or is an error', async () => {
  await using pool = openPool();
  await using lease = await pool.lease();
  await lease.tab.page.goto(site.url('/gone'));
  const title = await lease.tab.page.evaluate(() => document.title).catch((error: unknown) => error);
  expect(title instanceof PlatenError ? title.code : title).toMatch(/^(?:still here|page_crashed)$/);
});

describe('the browser', () => {
  test('that is killed rejects all its renders as lost, and is there again for the next', async () => {
    await using pool = openPool();
    const leases = [await pool.lease(), await pool.lease()];
    await Promise.all(leases.map((lease) => lease.tab.page.goto(site.url('/'))));
    const pending = leases.map((lease) => lease.tab.page.evaluate(() => new Promise(() => undefined)));
    const outcome = Promise.allSettled(pending);
    for (const { pid } of (await browserProcesses()).filter(isBrowser)) process.kill(pid, 'SIGKILL');
    expect(await outcome).toEqual(
      pending.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'browser_unavailable' }) as unknown })),
    );
    expect(leases.map(({ browserGone }) => browserGone)).toEqual([true, true]);
    for (const lease of leases) await lease[Symbol.asyncDispose]();
    await render(await pool.lease());
    expect(pool.pool.status().restarts).toBe(1);
    await until(async () => pool.pool.status().browsers === 1 && (await profileFolders()).length === 1);
  });

  test('that hangs is told from one that works hard, killed and replaced', async () => {
    await using pool = openPool({ heartbeatMs: 200 });
    const lease = await pool.lease();
    await lease.tab.page.goto(site.url('/'));
    const pending = lease.tab.page.evaluate(() => new Promise(() => undefined));
    const lost = expect(pending).rejects.toMatchObject({ code: 'browser_unavailable' });
    for (const { pid } of (await browserProcesses()).filter(isBrowser)) process.kill(pid, 'SIGSTOP');
    await lost;
    expect(lease.browserGone).toBe(true);
    await lease[Symbol.asyncDispose]();
    await render(await pool.lease());
  });

  test('that hangs does not keep the pool from closing', async () => {
    const pool = openPool();
    await pool.lease();
    for (const { pid } of (await browserProcesses()).filter(isBrowser)) process.kill(pid, 'SIGSTOP');
    await pool[Symbol.asyncDispose]();
    await nothingIsLeft();
  });
});
