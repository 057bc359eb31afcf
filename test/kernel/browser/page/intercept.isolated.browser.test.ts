import { Connection } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { InterceptStage, type InterceptedRequest } from '../../../../kernel/src/browser/protocol/contract.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openPool, type TestPool } from '../open-pool.js';
import { until } from '../../../helpers/until.js';

let site: Site;
let other: Site;
let pool: TestPool;

const cors = { 'access-control-allow-origin': '*' };

beforeAll(async () => {
  site = await openSite({
    '/': '<!doctype html><img src=/a.png><img src=/b.png>',
    '/a.png': 'not a picture',
    '/b.png': 'not a picture',
    '/hop': () => ({ status: 302, headers: { location: other.url('/hop', 'localhost') } }),
    '/end': { headers: cors, body: 'the end' },
    '/plain': '<!doctype html>plain',
    '/framed': '<!doctype html><link rel=icon href=data:,><iframe src=/plain></iframe>',
  });
  other = await openSite({
    '/hop': () => ({ status: 302, headers: { location: site.url('/end'), ...cors } }),
    '/data': { headers: { ...cors, 'content-type': 'text/plain' }, body: 'data' },
  });
  pool = openPool();
});

afterAll(async () => {
  await pool[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

/** The protocol's methods that are sent while `run` runs. */
async function methodsOf(run: () => Promise<void>): Promise<string[]> {
  // The one way out of all sessions; puppeteer keeps it out of its types.
  const spy = vi.spyOn(Connection.prototype as unknown as { _rawSend: (...args: readonly unknown[]) => Promise<unknown> }, '_rawSend');
  try {
    await run();
    return spy.mock.calls.map(([, method]) => String(method));
  } finally {
    spy.mockRestore();
  }
}

test('a plain render on a page opened ahead costs four calls, none of them of the Fetch domain', async () => {
  await using warm = openPool({ warm: 1 });
  await warm.pool.start();
  await until(() => warm.pool.status().warm === 1);
  const methods = await methodsOf(async () => {
    const lease = await warm.lease();
    await lease.tab.page.goto(site.url('/'));
    await lease.tab.page.lifecycle.reached('load');
    await lease.tab.page.evaluate(() => document.images.length);
    await lease.tab.page.screenshot({ format: 'png', fast: true });
    await lease[Symbol.asyncDispose]();
  });
  expect(methods).toEqual([
    'Page.navigate',
    'Page.createIsolatedWorld',
    'Runtime.callFunctionOn',
    'Page.captureScreenshot',
    'Target.disposeBrowserContext',
  ]);
});

test('a request says which frame it is of', async () => {
  await using lease = await pool.lease();
  const asked: (readonly [string, boolean])[] = [];
  lease.tab.intercept.use({
    name: 'frames',
    stage: InterceptStage.scope,
    request: ({ url, frameId, target }) => void asked.push([url.pathname, frameId === target.targetId]),
  });
  await lease.tab.page.goto(site.url('/framed'));
  await lease.tab.page.lifecycle.reached('load');
  expect(asked).toEqual([
    ['/framed', true],
    ['/plain', false],
  ]);
});

test('handlers are asked in the order of their stages, by one Fetch.enable', async () => {
  await using lease = await pool.lease();
  const asked: string[] = [];
  const handler = (name: string, stage: (typeof InterceptStage)[keyof typeof InterceptStage]) => ({
    name,
    stage,
    request: ({ url }: InterceptedRequest) => void asked.push(`${name} ${url.pathname}`),
  });
  const methods = await methodsOf(async () => {
    lease.tab.intercept.use(handler('sign', InterceptStage.sign));
    lease.tab.intercept.use(handler('scope', InterceptStage.scope));
    lease.tab.intercept.use(handler('headers', InterceptStage.headers));
    await lease.tab.page.goto(site.url('/plain'));
  });
  expect(asked).toEqual(['scope /plain', 'headers /plain', 'sign /plain']);
  expect(methods.filter((method) => method === 'Fetch.enable')).toHaveLength(1);
});

test('without its last handler interception is off, and on again with the next', async () => {
  await using lease = await pool.lease();
  const asked: string[] = [];
  const handler = (name: string) => ({
    name,
    stage: InterceptStage.headers,
    request: ({ url }: InterceptedRequest) => void asked.push(`${name} ${url.pathname}`),
  });
  const methods = await methodsOf(async () => {
    const leave = lease.tab.intercept.use(handler('first'));
    const leaveToo = lease.tab.intercept.use(handler('second'));
    await lease.tab.page.goto(site.url('/plain'));
    leave();
    leave();
    await lease.tab.page.goto(site.url('/end'));
    leaveToo();
    await lease.tab.page.goto(site.url('/plain'));
    lease.tab.intercept.use(handler('third'));
    await lease.tab.page.goto(site.url('/end'));
  });
  expect(asked).toEqual(['first /plain', 'second /plain', 'second /end', 'third /end']);
  const fetches = methods.filter((method) => method.startsWith('Fetch.') && method !== 'Fetch.continueRequest');
  expect(fetches).toEqual(['Fetch.enable', 'Fetch.disable', 'Fetch.enable']);
});

test('every hop of a redirect is asked anew, and what one hop was given does not reach the next', async () => {
  await using lease = await pool.lease();
  lease.tab.intercept.use({
    name: 'secret',
    stage: InterceptStage.headers,
    request({ url, headers }) {
      if (url.host === new URL(site.url('/')).host) headers.set('X-Secret', 'mine');
      return undefined;
    },
  });
  await lease.tab.page.goto(site.url('/hop'));
  const secretOf = (at: Site, path: string) => at.requests.findLast(({ url }) => url === path)?.headers['x-secret'];
  expect([secretOf(site, '/hop'), secretOf(other, '/hop'), secretOf(site, '/end')]).toEqual(['mine', undefined, 'mine']);
});

test('a outcome answers or fails the request', async () => {
  await using lease = await pool.lease();
  lease.tab.intercept.use({
    name: 'verdicts',
    stage: InterceptStage.filter,
    request({ url }) {
      if (url.pathname === '/made') {
        const headers = [
          ['content-type', 'text/html'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ] as const;
        return { fulfill: { status: 201, headers, body: Buffer.from('<title>made</title>') } };
      }
      return url.pathname === '/blocked' ? { fail: 'BlockedByClient' } : undefined;
    },
  });
  expect(await lease.tab.page.goto(site.url('/made'))).toMatchObject({ status: 201 });
  await expect(lease.tab.page.evaluate(() => `${document.title} ${document.cookie}`)).resolves.toBe('made a=1; b=2');
  await expect(lease.tab.page.goto(site.url('/blocked'))).rejects.toMatchObject({ code: 'target_blocked' });
  expect(site.requests.map(({ url }) => url)).not.toContain('/blocked');
});

test('a handler that fails, and a header that the browser refuses, fail the request instead of leaving it paused', async () => {
  await using lease = await pool.lease();
  lease.tab.intercept.use({
    name: 'faulty',
    stage: InterceptStage.headers,
    request({ url, headers }) {
      if (url.pathname === '/a.png') throw new Error('oh');
      if (url.pathname === '/b.png') headers.set('Host', 'elsewhere');
      return undefined;
    },
  });
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  await expect(lease.tab.page.evaluate(() => [...document.images].map((image) => image.naturalWidth))).resolves.toEqual([0, 0]);
});

test('a simple request to another origin stays simple', async () => {
  await using lease = await pool.lease({ profile: { userAgent: 'Custom/1.0', acceptLanguage: 'de' } });
  lease.tab.intercept.use({ name: 'none', stage: InterceptStage.filter, request: () => undefined });
  await lease.tab.page.goto(site.url('/plain'));
  const before = other.requests.length;
  await expect(
    lease.tab.page.evaluateInMainWorld(`fetch(${JSON.stringify(other.url('/data', 'localhost'))}).then((r) => r.text())`),
  ).resolves.toBe('data');
  expect(other.requests.slice(before).map(({ method, headers }) => [method, headers['user-agent'], headers['accept-language']])).toEqual([
    ['GET', 'Custom/1.0', 'de'],
  ]);
});

test('the language that a script asks for itself stays its own', async () => {
  await using lease = await pool.lease({ profile: { acceptLanguage: 'fr' } });
  lease.tab.intercept.use({ name: 'test', stage: InterceptStage.filter, request: () => undefined });
  await lease.tab.page.goto(site.url('/plain?languages'));
  await lease.tab.page.evaluateInMainWorld(`fetch('/end?asked', { headers: { 'Accept-Language': 'it' } }).then((answer) => answer.text())`);
  await lease.tab.page.evaluateInMainWorld(`fetch('/end?unasked').then((answer) => answer.text())`);
  const sent = (url: string) => site.requests.find((request) => request.url === url)?.headers['accept-language'];
  expect([sent('/plain?languages'), sent('/end?asked'), sent('/end?unasked')]).toEqual(['fr', 'it', 'fr']);
});

test('a popup is intercepted until its first document is there, and no longer', async () => {
  await using lease = await pool.lease();
  const methods = await methodsOf(async () => {
    await lease.tab.page.goto(site.url('/plain'));
    const committed = new Promise<void>((resolve) => {
      lease.tab.page.targets.configure((target) => {
        if (!target.primary)
          target.on('Page.loadEventFired', () => {
            resolve();
          });
        return [];
      });
    });
    await lease.tab.page.evaluateInMainWorld(`void open('/?popup', '', 'noopener')`);
    await committed;
  });
  expect(methods.filter((method) => method.startsWith('Fetch.'))).toEqual(['Fetch.enable', 'Fetch.continueRequest', 'Fetch.disable']);
});
