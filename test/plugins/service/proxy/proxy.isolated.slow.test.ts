import { isPlatenError } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import egress from '@platen/plugin-egress';
import robots from '@platen/plugin-robots';
import proxy from '../../../../plugins/service/proxy/src/index.js';
import { openProxy, type ProxyBehavior } from '../../../helpers/proxy.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { checkServices } from '../../../../server/src/doctor/index.js';
import { openProber, probe } from '../../page/probe.js';

let site: Site;

beforeAll(async () => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'])
    vi.stubEnv(name, undefined);
  site = await openSite({
    '/robots.txt': 'User-agent: *\nAllow: /',
    '/': `<title>page</title><script>window.report = fetch('/data').then((answer) => answer.text())</script>`,
    '/data': 'data',
    '/hop': () => ({ status: 302, headers: { location: site.url('/data', '127.0.0.2') } }),
    '/vectors': () => `<title>vectors</title><script>
      const to = '${site.url('/data', '127.0.0.2')}';
      const ended = (target, ...names) => new Promise((done) => names.forEach((name) => target.addEventListener(name, () => done(name))));
      const made = (tag, key) => { const element = document.createElement(tag); element[key] = to; document.documentElement.append(element); return ended(element, 'load', 'error'); };
      const worker = new Worker(URL.createObjectURL(new Blob(['fetch("' + to + '", { mode: "no-cors" }).then(() => postMessage("load"), () => postMessage("error"))'])));
      window.report = Promise.all([
        made('img', 'src'), made('script', 'src'), made('iframe', 'src').then(() => 'error'),
        fetch(to, { mode: 'no-cors' }).then(() => 'load', () => 'error'),
        fetch('/hop', { mode: 'no-cors' }).then(() => 'load', () => 'error'),
        ended(new WebSocket(to.replace('http', 'ws')), 'open', 'error'),
        ended(new EventSource(to), 'open', 'error'),
        new Promise((done) => { worker.onmessage = ({ data }) => done(data); }),
      ]);
    </script>`,
  });
});
afterEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'no_proxy']) vi.stubEnv(name, undefined);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
});

async function failure(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isPlatenError(error)
    ? { code: error.code, status: error.status, message: error.message, retryable: error.details.retryable }
    : error;
}

const plugins = [proxy, robots, egress];

describe('--egress-proxy', () => {
  it.each<ProxyBehavior>([
    { kind: 'http' },
    { kind: 'socks5' },
    { kind: 'http', credentials: 'ada:p%40ss' },
    { kind: 'socks5', credentials: 'ada:p%40ss' },
  ])('pages and robots.txt go through a proxy, by address: %j', async (behavior) => {
    await using upstream = await openProxy(behavior);
    await using prober = openProber({ plugins, flags: { 'egress-proxy': upstream.url } });
    const { report, entries } = await prober.probe({ url: site.url('/', 'localhost') });
    expect(report).toBe('data');
    expect(new Set(upstream.asked)).toEqual(new Set([`127.0.0.1:${String(site.port)}`]));
    expect(upstream.asked.length).toBeGreaterThan(1);
    expect(entries).toMatchObject([{ host: 'localhost', address: '127.0.0.1', outcome: 'allowed' }]);
  });

  it('leaves names to the proxy with --egress-proxy-resolves', async () => {
    await using upstream = await openProxy({ names: { 'only.there': '127.0.0.1' } });
    await using prober = openProber({ plugins, flags: { 'egress-proxy': upstream.url, 'egress-proxy-resolves': true } });
    expect((await prober.probe({ url: site.url('/', 'only.there') })).report).toBe('data');
    expect(new Set(upstream.asked)).toEqual(new Set([`only.there:${String(site.port)}`]));
  });

  it.each<[name: string, behavior: ProxyBehavior | undefined, expected: object]>([
    [
      'that is down',
      undefined,
      {
        code: 'proxy_failed',
        status: 502,
        message: 'the proxy does not accept connections: ECONNREFUSED',
        retryable: undefined,
      },
    ],
    ['that refuses', { reply: 403 }, { code: 'proxy_failed', message: 'the proxy refuses the connection: status 403', retryable: false }],
    [
      'that asks for credentials',
      { credentials: 'ada:secret' },
      { code: 'proxy_failed', message: 'the proxy asks for credentials', retryable: false },
    ],
    [
      'that refuses by SOCKS',
      { kind: 'socks5', reply: 2 },
      { code: 'proxy_failed', message: 'the proxy refuses the connection: NotAllowed', retryable: false },
    ],
    [
      'that asks for credentials by SOCKS',
      { kind: 'socks5', credentials: 'a:b' },
      { code: 'proxy_failed', message: 'the proxy asks for credentials' },
    ],
    ['that reports that the target is down', { reply: 502 }, { code: 'target_unreachable', status: 502 }],
    [
      'that reports it by SOCKS',
      { kind: 'socks5', reply: 5 },
      { code: 'target_unreachable', message: expect.stringContaining('net::ERR_CONNECTION_REFUSED') },
    ],
    [
      'that reports an unreachable host by SOCKS',
      { kind: 'socks5', reply: 4 },
      { code: 'target_unreachable', message: expect.stringContaining('net::ERR_ADDRESS_UNREACHABLE') },
    ],
    [
      'that does not support the kind of the address',
      { kind: 'socks5', reply: 8 },
      { code: 'target_unreachable', message: expect.stringContaining('net::ERR_ADDRESS_UNREACHABLE') },
    ],
    [
      'that is slow',
      { isSilent: true },
      { code: 'proxy_failed', message: 'the proxy does not accept connections: it did not respond within 8 seconds' },
    ],
  ])('an http and an https target by a proxy %s', async (_name, behavior, expected) => {
    const upstream = await openProxy(behavior);
    const url = upstream.url.replace('ada:secret@', '').replace('a:b@', '');
    if (behavior === undefined) await upstream[Symbol.asyncDispose]();
    await using prober = openProber({ plugins, flags: { 'egress-proxy': url } });
    const errors = await Promise.all([
      failure(prober.probe({ url: site.url('/') })),
      failure(prober.probe({ url: site.url('/').replace('http:', 'https:') })),
    ]);
    expect(errors).toMatchObject([expected, expected]);
    if (behavior !== undefined) await upstream[Symbol.asyncDispose]();
  });

  it('wrong credentials are an error that does not repeat them', async () => {
    await using upstream = await openProxy({ credentials: 'ada:right' });
    await using prober = openProber({ plugins, flags: { 'egress-proxy': upstream.url.replace('right', 'wr0ng') } });
    const error = await failure(prober.probe({ url: site.url('/') }));
    expect(error).toMatchObject({ code: 'proxy_failed', message: 'the proxy does not accept the credentials' });
    expect(JSON.stringify(error)).not.toContain('wr0ng');
  });

  it('rules for addresses hold: the proxy is not asked for a private address, its own may be private', async () => {
    await using upstream = await openProxy();
    const flags = { 'egress-proxy': upstream.url, 'block-private-ips': true };
    await using prober = openProber({ plugins, flags });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254'])
      expect(await failure(prober.probe({ url: site.url('/', host) }))).toMatchObject({ code: 'target_blocked', status: 403 });
    expect(upstream.asked).toEqual([]);
    await using resolving = openProber({ plugins, flags: { ...flags, 'egress-proxy-resolves': true } });
    expect(await failure(resolving.probe({ url: site.url('/') }))).toMatchObject({ code: 'target_blocked' });
    expect(upstream.asked).toEqual([]);
  });

  it('rules for addresses hold in every way that a page has to another host', async () => {
    await using upstream = await openProxy();
    const flags = { 'egress-proxy': upstream.url, 'block-private-ips': true, 'allow-ip-range': ['127.0.0.1'] };
    await using prober = openProber({ plugins, flags });
    const { report, headers } = await prober.probe({ url: site.url('/vectors') });
    expect(report).toEqual(Array.from({ length: 8 }, () => 'error'));
    expect(headers['X-Egress-Refused']).toBe(`127.0.0.2:${String(site.port)}`);
    expect(await failure(prober.probe({ url: site.url('/hop') }))).toMatchObject({ code: 'target_blocked' });
    expect(new Set(upstream.asked)).toEqual(new Set([`127.0.0.1:${String(site.port)}`]));
  });

  it('takes the standard variables, in either case; NO_PROXY, the flag and "none" go before them', async () => {
    await using upstream = await openProxy();
    const asks = async (environment: Readonly<Record<string, string>>, flags = {}) => {
      upstream.forget();
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      await using prober = openProber({ plugins, flags });
      expect((await prober.probe({ url: site.url('/') })).report).toBe('data');
      for (const name of Object.keys(environment)) vi.stubEnv(name, undefined);
      return upstream.asked.length > 0;
    };
    expect(await asks({ HTTP_PROXY: upstream.url })).toBe(true);
    expect(await asks({ http_proxy: upstream.url.replace('http://', '') })).toBe(true);
    expect(await asks({ ALL_PROXY: upstream.url })).toBe(true);
    expect(await asks({ HTTPS_PROXY: upstream.url })).toBe(false);
    expect(await asks({ HTTP_PROXY: upstream.url, NO_PROXY: '127.0.0.1' })).toBe(false);
    expect(await asks({ HTTP_PROXY: upstream.url }, { 'egress-proxy': 'none' })).toBe(false);
    expect(await asks({ NO_PROXY: '127.0.0.0/8' }, { 'egress-proxy': upstream.url })).toBe(false);
    expect(await asks({ HTTP_PROXY: 'http://127.0.0.1:1' }, { 'egress-proxy': upstream.url })).toBe(true);
  });
});

describe('platen doctor', () => {
  const check = async (flags: Readonly<Record<string, unknown>>) => {
    await using host = createTestKernel({ plugins: [proxy, egress], flags });
    return (await checkServices(host.kernel, flags)).map(({ state, text }) => `${state}: ${text.replace(/\d{4,}/, 'PORT')}`);
  };

  it.each<[name: string, behavior: ProxyBehavior, found: string]>([
    ['accepts', {}, 'ok: http://127.0.0.1:PORT accepts connections'],
    ['accepts by SOCKS', { kind: 'socks5', credentials: 'a:b' }, 'ok: socks5://127.0.0.1:PORT accepts connections'],
    ['refuses such a destination', { reply: 403 }, 'ok: http://127.0.0.1:PORT accepts connections'],
    ['does not reach it', { kind: 'socks5', reply: 8 }, 'ok: socks5://127.0.0.1:PORT accepts connections'],
    [
      'never answers',
      { isSilent: true },
      'missing: http://127.0.0.1:PORT: the proxy does not accept connections: it did not respond within 8 seconds',
    ],
  ])('reports a proxy that %s', async (_name, behavior, found) => {
    await using upstream = await openProxy(behavior);
    expect(await check({ 'egress-proxy': upstream.url })).toEqual([found]);
  });

  it.each([
    ['is down', 'http://127.0.0.1:1', 'does not accept connections: ECONNREFUSED'],
    ['has no address', 'socks5://none.invalid', 'does not accept connections: ENOTFOUND'],
  ])('reports a proxy that %s, of the flag and of each variable, also if NO_PROXY excepts its own host', async (_name, url, fault) => {
    const found = [expect.stringMatching(new RegExp(`^missing: .*${fault}$`))];
    expect(await check({ 'egress-proxy': url })).toEqual(found);
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
      vi.stubEnv(name, url);
      vi.stubEnv('NO_PROXY', '127.0.0.1,none.invalid');
      expect(await check({})).toEqual(found);
      vi.stubEnv(name, undefined);
    }
  });

  it('reports credentials that the proxy does not accept, without them', async () => {
    await using upstream = await openProxy({ credentials: 'ada:right' });
    const [found, ...more] = await check({ 'egress-proxy': upstream.url.replace('right', 'wr0ng') });
    expect([found, more]).toEqual(['missing: http://127.0.0.1:PORT: the proxy does not accept the credentials', []]);
  });
});

describe('proxy', () => {
  it('is refused without --egress-allow-proxy, and where it is no proxy, before anything is rendered', async () => {
    const { kernel } = createTestKernel({ plugins: [...plugins, probe] });
    const url = site.url('/');
    const refuse = () => kernel.plan(kernel.validate({ url, output_type: 'probe', proxy: 'http://127.0.0.1:1' }, 'body'));
    expect(refuse).toThrow('without --egress-allow-proxy');
    await using allowing = openProber({ plugins, flags: { 'egress-allow-proxy': true } });
    for (const text of ['ftp://a', 'socks5h://a', 'http://a/path', 'proxy'])
      expect(await failure(allowing.probe({ url, proxy: text }))).toMatchObject({
        code: 'invalid_parameters',
        message: expect.stringContaining('"proxy" must be'),
      });
  });

  it('keeps credentials of the operator out of its render: it could read them in pages that are not encrypted', () => {
    const { kernel } = createTestKernel({ plugins: [...plugins, probe], flags: { 'egress-allow-proxy': true } });
    const plan = (more: object) => kernel.plan(kernel.validate({ url: site.url('/'), output_type: 'probe', ...more }, 'body'));
    expect([{}, { proxy: 'http://127.0.0.1:1' }].map((more) => plan(more).bringsCode)).toEqual([false, true]);
  });

  it('takes the connections of its render only, robots.txt included', async () => {
    await using own = await openProxy({ kind: 'socks5', credentials: 'a:b' });
    await using operators = await openProxy();
    await using prober = openProber({ plugins, flags: { 'egress-allow-proxy': true, 'egress-proxy': operators.url } });
    const url = site.url('/');
    expect((await prober.probe({ url, proxy: own.url })).report).toBe('data');
    expect(own.asked.length).toBeGreaterThan(1);
    expect(operators.asked).toEqual([]);
    own.forget();
    expect((await prober.probe({ url })).report).toBe('data');
    expect(own.asked).toEqual([]);
    expect(operators.asked.length).toBeGreaterThan(1);
  });

  it('obeys the egress rules: 403 for a private proxy', async () => {
    await using own = await openProxy();
    const flags = { 'egress-allow-proxy': true, 'block-private-ips': true };
    await using prober = openProber({ plugins, flags });
    const error = await failure(prober.probe({ url: 'http://192.88.98.1/', proxy: own.url }));
    expect(error).toMatchObject({
      code: 'target_blocked',
      status: 403,
      message: expect.stringContaining('the proxy may not be used: 127.0.0.1 is a loopback'),
    });
  });
});
