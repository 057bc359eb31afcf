import { once } from 'node:events';
import { createServer } from 'node:net';
import { definePlugin, isPlatenError, type ErrorDetails } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import robots from '../../../../plugins/page/robots/src/index.js';
import { robots as robotsKey } from '../../../../plugins/page/robots/src/keys.js';
import target from '../../../../plugins/page/target/src/index.js';
import wait from '../../../../plugins/page/wait/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';

/** Runs between robots.txt and the navigation. */
let meanwhile: () => Promise<void> = () => Promise.resolve();

/** Ports that a rule of the egress refuses. */
const refusedPorts = new Set<number>();

/** Answers with what robots.txt says of the target, as a walk would ask. */
const asking = definePlugin({
  name: 'asking',
  captures: [{ kind: 'asking' }],
  outputs: [{ type: 'asking', from: 'asking', contentType: 'application/json', extension: 'json' }],
  apply({ hooks, outbound }) {
    outbound.addAddressFilter(({ port }) => (refusedPorts.has(port) ? 'by the list' : undefined));
    hooks.navigate.tapPromise('asking', async () => {
      await meanwhile();
      return undefined;
    });
    const kind = hooks.capture.for('asking');
    kind.tapPromise('asking', async (context) => (await context.get(robotsKey)?.check(new URL(context.plan.url))) ?? 'not asked');
    hooks.encode.for('asking').tap('asking', (verdict) => ({
      contentType: 'application/json',
      extension: 'json',
      body: Buffer.from(JSON.stringify(verdict)),
    }));
  },
});

const ROBOTS = ['User-agent: *', 'Disallow: /no', 'Crawl-delay: 7', 'Sitemap: /map.xml'].join('\n');
const text = { headers: { 'content-type': 'text/plain' } };

let host: TestKernel;
let site: Site;
let other: Site;
beforeAll(async () => {
  other = await openSite({
    '/robots.txt': { ...text, body: 'User-agent: platen\nDisallow: /elsewhere' },
    '/elsewhere': '<p id=forbidden>no',
    '/free': '<p id=free>yes',
  });
  site = await openSite({
    '/robots.txt': { ...text, body: ROBOTS },
    '/': '<p>Hello',
    '/no': '<p id=forbidden>Forbidden',
    '/script-to-no': '<script>location.href = "/no"</script>',
    '/refresh-to-no': '<meta http-equiv="refresh" content="0; url=/no">',
    '/script-to-elsewhere': () => `<script>location.href = "${other.url('/elsewhere', 'localhost')}"</script>`,
    '/script-to-free': () => `<script>location.href = "${other.url('/free', 'localhost')}"</script>`,
    '/calls-itself-no': '<script>history.replaceState({}, "", "/no")</script>',
    '/to-no': { status: 302, headers: { location: '/no' } },
    '/to-elsewhere': () => ({ status: 302, headers: { location: other.url('/elsewhere', 'localhost') } }),
    '/to-free': () => ({ status: 302, headers: { location: other.url('/free', 'localhost') } }),
  });
  host = createTestKernel({ plugins: [target, wait, robots, asking] });
});
afterEach(() => {
  refusedPorts.clear();
  meanwhile = () => Promise.resolve();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

async function render(url: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const result = await host.render({ output_type: 'asking', url, ...params });
  return JSON.parse((await result.bytes()).toString());
}

async function refusalOf(url: string, params: Readonly<Record<string, unknown>> = {}) {
  const error = await render(url, params).catch((thrown: unknown) => thrown);
  if (!isPlatenError(error)) throw new Error(`${url} was rendered`, { cause: error });
  return { code: error.code, status: error.status, message: error.message, ...again(error.details) };
}

const again = ({ retryable, retry_after }: ErrorDetails) => ({ ...(retryable === true ? { retryable, retry_after } : {}) });

const seen = (path: string, at: Site = site) => at.requests.filter(({ url }) => url === path).length;

describe('robots.txt is checked for every http(s) target', () => {
  it('what it allows is rendered, and a warm origin is not asked again', async () => {
    await render(site.url('/'));
    await render(site.url('/'));
    expect(seen('/robots.txt')).toBe(1);
  });

  it('what it forbids is a 403 robots_disallowed that names the line and how to skip it, and is not asked for', async () => {
    expect(await refusalOf(site.url('/no?x=1'))).toEqual({
      code: 'robots_disallowed',
      status: 403,
      message: `line 2 of ${site.url('/robots.txt')} disallows it: "Disallow: /no"; "skip_robots_txt=true" renders it anyway`,
    });
    expect(seen('/no?x=1')).toBe(0);
  });

  it('skip_robots_txt renders it anyway, and asks nobody', async () => {
    await using fresh = await openSite({ '/robots.txt': { ...text, body: 'User-agent: *\nDisallow: /' }, '/': 'x' });
    expect(await render(fresh.url('/'), { skip_robots_txt: true })).toBe('not asked');
    expect(seen('/robots.txt', fresh)).toBe(0);
    expect((await refusalOf(fresh.url('/'))).code).toBe('robots_disallowed');
  });

  it('data: targets have no robots.txt', async () => {
    expect(await render('data:text/html,<p>Hello')).toMatchObject({ allowed: true });
  });
});

describe('redirects of the target', () => {
  it('to what the same site forbids', async () => {
    expect((await refusalOf(site.url('/to-no'))).message).toContain(`line 2 of ${site.url('/robots.txt')}`);
  });

  it('to what another site forbids', async () => {
    expect((await refusalOf(site.url('/to-elsewhere'))).message).toContain(`line 2 of ${other.url('/robots.txt', 'localhost')}`);
  });

  it('to what another site allows', async () => {
    expect(await render(site.url('/to-free'))).toMatchObject({ allowed: true });
  });
});

describe('the page that is captured', () => {
  it.each([
    ['a script', '/script-to-no', () => site.url('/robots.txt')],
    ['a refresh', '/refresh-to-no', () => site.url('/robots.txt')],
    ['a script, of another site', '/script-to-elsewhere', () => other.url('/robots.txt', 'localhost')],
  ])('is refused where %s leads to what is forbidden', async (_name, path, file) => {
    expect(await refusalOf(site.url(path), { wait_for: 'css:#forbidden' })).toMatchObject({
      code: 'robots_disallowed',
      message: expect.stringContaining(`line 2 of ${file()}`),
    });
    expect(await render(site.url(path), { wait_for: 'css:#forbidden', skip_robots_txt: true })).toBe('not asked');
  });

  it('is captured where a script leads to what is allowed', async () => {
    expect(await render(site.url('/script-to-free'), { wait_for: 'css:#free' })).toMatchObject({ allowed: true });
  });

  it('is judged by the URL that it came from, not by what it calls itself', async () => {
    expect(await render(site.url('/calls-itself-no'))).toMatchObject({ allowed: true });
  });
});

describe('how it is asked for', () => {
  it('by its own name, without the header and the cookie of the request', async () => {
    await using fresh = await openSite({ '/robots.txt': { ...text, body: '' }, '/': 'x' });
    await render(fresh.url('/'), {
      header: ['Authorization: Basic c2VjcmV0', 'X-Secret: s'],
      cookie: ['a=secret; Domain=127.0.0.1'],
      user_agent: 'Mine',
    });
    const [request] = fresh.requests.filter(({ url }) => url === '/robots.txt');
    expect(request?.headers['user-agent']).toMatch(/^Platen\/\d+\.\d+\.\d+/);
    expect(JSON.stringify(request?.headers)).not.toMatch(/secret|authorization|cookie|mine/i);
    expect(fresh.requests.find(({ url }) => url === '/')?.headers).toMatchObject({ 'x-secret': 's', cookie: 'a=secret' });
  });

  it('with whom the page is opened meanwhile: renders at the same time ask once', async () => {
    await using fresh = await openSite({ '/robots.txt': { ...text, body: ROBOTS }, '/': 'x' });
    await Promise.all([render(fresh.url('/')), render(fresh.url('/')), refusalOf(fresh.url('/no'))]);
    expect(seen('/robots.txt', fresh)).toBe(1);
  });

  it('a time that runs out meanwhile is told so', async () => {
    await using fresh = await openSite({ '/robots.txt': () => undefined, '/': 'x' });
    const refused = await refusalOf(fresh.url('/'), { timeout: 1 });
    expect(refused).toMatchObject({ code: 'render_timeout', message: expect.stringContaining(`waiting for ${fresh.url('/robots.txt')}`) });
    expect(seen('/', fresh)).toBe(0);
  });
});

describe('a site whose rules are unavailable', () => {
  it.each([
    ['503', () => ({ status: 503 })],
    ['429', () => ({ status: 429 })],
  ])('%s disallows all of it, for a while', async (_name, route) => {
    await using fresh = await openSite({ '/robots.txt': route, '/': 'x' });
    const { code, retryable, retry_after } = await refusalOf(fresh.url('/'));
    expect([code, retryable]).toEqual(['robots_disallowed', true]);
    expect(retry_after).toBeGreaterThanOrEqual(1);
    expect(retry_after).toBeLessThanOrEqual(60);
    expect(seen('/', fresh)).toBe(0);
  });

  it('a connection that breaks off disallows all of it', async () => {
    await using fresh = await openSite({ '/robots.txt': ({ socket }) => void socket.destroy(), '/': 'x' });
    expect((await refusalOf(fresh.url('/'))).code).toBe('robots_disallowed');
    expect(seen('/', fresh)).toBe(0);
  });

  it('a redirect to where nobody listens disallows all of it', async () => {
    await using fresh = await openSite({
      '/robots.txt': { status: 301, headers: { location: `http://127.0.0.1:${String(await findClosedPort())}/` } },
      '/': 'x',
    });
    expect((await refusalOf(fresh.url('/'))).code).toBe('robots_disallowed');
    expect(seen('/', fresh)).toBe(0);
  });

  it('where nobody listens at all, the target is unreachable', async () => {
    expect(await refusalOf(`http://127.0.0.1:${String(await findClosedPort())}/`)).toMatchObject({
      code: 'target_unreachable',
      message: expect.stringContaining('net::ERR_CONNECTION_REFUSED'),
    });
  });

  it('where the address is refused, the target is blocked', async () => {
    expect((await refusalOf('http://169.254.169.254/latest/')).code).toBe('target_blocked');
  });
});

describe('a target that was down for a moment', () => {
  const RULES = { '/robots.txt': { ...text, body: ROBOTS }, '/': 'x', '/no': 'x' };

  it('is judged by its rules as soon as it is up', async () => {
    const port = await findClosedPort();
    expect((await refusalOf(`http://127.0.0.1:${String(port)}/`)).code).toBe('target_unreachable');
    await using up = await openSite(RULES, { at: port });
    expect(await render(up.url('/'))).toMatchObject({ allowed: true });
    expect((await refusalOf(up.url('/no'))).message).toContain('line 2 of');
    expect([seen('/', up), seen('/no', up)]).toEqual([1, 0]);
  });

  it.each([
    ['allow', '/', { allowed: true }],
    ['forbid', '/no', { code: 'robots_disallowed', message: expect.stringContaining('line 2 of') }],
  ])('is judged by its rules where the browser is the first to connect: they %s', async (_name, path, expected) => {
    const port = await findClosedPort();
    let up: Site | undefined;
    meanwhile = async () => {
      up = await openSite(RULES, { at: port });
    };
    const outcome = await render(`http://127.0.0.1:${String(port)}${path}`).catch((error: unknown) => error);
    await up?.[Symbol.asyncDispose]();
    expect(outcome).toMatchObject(expected);
  });
});

it('a target whose address a list refused is judged by its rules as soon as the list has changed', async () => {
  await using fresh = await openSite({ '/robots.txt': { ...text, body: ROBOTS }, '/': 'x', '/no': 'x' });
  refusedPorts.add(fresh.port);
  expect((await refusalOf(fresh.url('/'))).code).toBe('target_blocked');
  refusedPorts.clear();
  expect(await render(fresh.url('/'))).toMatchObject({ allowed: true });
  expect((await refusalOf(fresh.url('/no'))).message).toContain('line 2 of');
});

it('walks learn the delay and the sitemaps by a key', async () => {
  expect(await render(site.url('/'))).toEqual({ allowed: true, unconnected: false, crawlDelay: 7, sitemaps: ['/map.xml'] });
});

async function findClosedPort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
