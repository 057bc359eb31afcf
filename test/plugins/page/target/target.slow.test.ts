import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

const READ = `<script>report = {
  width: innerWidth, height: innerHeight, scale: devicePixelRatio, agent: navigator.userAgent, platform: navigator.platform,
  languages: navigator.languages, language: navigator.language, touch: navigator.maxTouchPoints, cookie: document.cookie,
  mobile: navigator.userAgentData && navigator.userAgentData.mobile,
}</script>`;
const META = '<meta name="viewport" content="width=device-width">';

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

let site: Site;
let other: Site;
let prober: Prober;
beforeAll(async () => {
  other = await openSite({
    '/img.png': '',
    '/frame': 'frame',
    '/img': '',
    '/to-target': () => ({ status: 302, headers: { location: site.url('/referred-page') } }),
    '/fetch': async (request) => ({
      headers: { 'access-control-allow-origin': '*' },
      body: `${await bodyOf(request)} by ${(request.headers.referer ?? '').replace(/:\d+/, '')}`,
    }),
  });
  site = await openSite({
    '/': META + READ,
    '/parts':
      () => `<img src="/own.png"><img src="${other.url('/img.png')}"><iframe src="${other.url('/frame', 'localhost')}"></iframe><script>
      report = fetch('/api', { method: 'POST', body: 'x' }).then((r) => r.text()).then((own) => new Promise((resolve) => {
        new Worker('/worker.js').onmessage = ({ data }) => resolve([own, data]);
      }));
    </script>`,
    '/worker.js': {
      headers: { 'content-type': 'text/javascript' },
      body: "fetch('/from-worker').then((r) => r.text()).then((text) => postMessage(text))",
    },
    '/api': (request) => String(request.headers['x-mine']),
    '/from-worker': (request) => String(request.headers['x-mine']),
    '/bytes': (request) => `<script>report = '${Buffer.from(String(request.headers['x-mine']), 'latin1').toString('hex')}'</script>`,
    '/referred': () => ({ status: 302, headers: { location: other.url('/to-target') } }),
    '/referred-page': `<img src="/hop-img"><iframe src="/hop-frame"></iframe><script>
      report = fetch('/hop-fetch', { method: 'POST', body: 'fetched' }).then((answer) => answer.text());
    </script>`,
    '/hop-img': () => ({ status: 302, headers: { location: other.url('/img?hop') } }),
    '/hop-frame': () => ({ status: 302, headers: { location: other.url('/frame?hop', 'localhost') } }),
    '/hop-fetch': () => ({ status: 307, headers: { location: other.url('/fetch?hop') } }),
    '/cookies': (request) => `<script>report = { sent: ${JSON.stringify(request.headers.cookie ?? '')}, seen: document.cookie }</script>`,
    '/late': `<div id="a"></div><script>addEventListener('load', () => { report = ['loaded'] })</script>`,
    '/formats': `<body><script>
      const locale = 'new Intl.NumberFormat().resolvedOptions().locale';
      const frame = (host) => new Promise((resolve) => {
        addEventListener('message', ({ data, origin }) => { if (origin.includes(host)) resolve(data) });
        document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://' + host + ':' + location.port + '/locale' }));
      });
      report = (async () => ({
        page: eval(locale),
        frame: await frame('127.0.0.1'),
        cross: await frame('localhost'),
        popup: await new Promise((resolve) => { tell = resolve; open('/popup-locale') }),
        worker: await new Promise((resolve) => { new Worker('/locale.js').onmessage = ({ data }) => resolve(data) }),
        shared: await new Promise((resolve) => { new SharedWorker('/locale.js').port.onmessage = ({ data }) => resolve(data) }),
      }))();
    </script>`,
    '/locale': '<script>parent.postMessage(new Intl.NumberFormat().resolvedOptions().locale, "*")</script>',
    '/popup-locale': '<script>opener.tell(new Intl.NumberFormat().resolvedOptions().locale)</script>',
    '/locale.js': {
      headers: { 'content-type': 'text/javascript' },
      body: 'const locale = new Intl.NumberFormat().resolvedOptions().locale; self.onconnect = ({ ports: [port] }) => port.postMessage(locale); self.postMessage?.(locale)',
    },
    '/next': '<script>report = "next"</script>',
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

describe('the browser', () => {
  it('has the device’s size, scale, names and touch', async () => {
    const { report } = await prober.probe({ url: site.url('/'), device: 'Pixel 5' });
    expect(report).toMatchObject({
      width: 393,
      height: 851,
      scale: 3,
      platform: 'Linux armv81',
      touch: 5,
      mobile: true,
      agent: expect.stringContaining('Pixel 5'),
    });
  });

  it.each([
    ['fr;q=0.8, de-CH', ['de-CH', 'fr'], 'fr;q=0.8,de-CH'],
    ['de-CH, de;q=0.9', ['de-CH', 'de'], 'de-CH,de;q=0.9'],
    ['de-CH, fr, it', ['de-CH', 'fr', 'it'], 'de-CH,fr;q=0.9,it;q=0.8'],
    ['*', ['en-US', 'en'], '*'],
  ])('asks for the languages %j as it is told, and shows them without weights', async (accept_language, languages, header) => {
    const { report } = await prober.probe({ url: site.url('/'), accept_language });
    expect(report).toMatchObject({ languages, language: languages[0] });
    expect(site.requests.at(-1)?.headers['accept-language']).toBe(header);
  });

  it.each(['de-CH', 'fr;q=0.5, de-CH'])(
    'formats in the first of the languages %j: page, frames, popup and workers',
    async (accept_language) => {
      const { report } = await prober.probe({ url: site.url('/formats'), accept_language });
      const formats = Object.fromEntries(['page', 'frame', 'cross', 'popup', 'worker', 'shared'].map((who) => [who, 'de-CH']));
      expect(report).toEqual(formats);
    },
  );

  it('formats as ever without a language, and with one that nobody knows', async () => {
    expect((await prober.probe({ url: site.url('/formats') })).report.page).toBe('en-US');
    expect((await prober.probe({ url: site.url('/formats'), accept_language: 'zz-zz' })).report.page).toBe('en-US');
  });
});

describe('cookies', () => {
  it('are there for the first request, each where it belongs', async () => {
    const { report } = await prober.probe({
      url: site.url('/cookies', 'a.localhost'),
      cookie: [
        'host=1',
        'http=2; HttpOnly',
        'path=3; Path=/elsewhere',
        'else=4; Domain=example.com',
        'sub=5; Domain=a.localhost; SameSite=Lax',
        'old=6; Max-Age=0',
      ],
    });
    expect(String(report.sent).split('; ').sort()).toEqual(['host=1', 'http=2', 'sub=5']);
    expect(String(report.seen).split('; ').sort()).toEqual(['host=1', 'sub=5']);
  });

  it('of a host alone are not for the hosts below it', async () => {
    const { report } = await prober.probe({
      url: site.url('/cookies', 'b.a.localhost'),
      cookie: ['sub=1; Domain=a.localhost', 'other=2; Domain=c.localhost'],
    });
    expect(report.sent).toBe('sub=1');
  });

  it('that the browser does not accept are a 400', async () => {
    await expect(prober.probe({ url: site.url('/cookies'), cookie: ['a=1', `b=secret; Path=/${'x'.repeat(1500)}`] })).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_parameters', message: expect.stringMatching(/^"cookie\[1\]" (?!.*secret)/) }),
    );
  });

  it('for a public suffix are a 400 that names the item, unless the target is that very host', async () => {
    for (const suffix of ['co.uk', 'github.io']) {
      const cookie = ['fine=1; Domain=example.co.uk', 'odd=2; Domain=example.com; Path=/a b', `c=secret; Domain=${suffix}`];
      await expect(prober.probe({ url: site.url('/cookies'), cookie })).rejects.toThrow(
        expect.objectContaining({
          code: 'invalid_parameters',
          message: expect.stringMatching(/^"cookie\[2\]" .*public suffix(?!.*secret)/),
        }),
      );
    }
    const { report } = await prober.probe({ url: site.url('/cookies'), cookie: ['same=1', 'same=2; Domain=a.localhost'] });
    expect(report.sent).toBe('same=1');
  });
});

describe('headers', () => {
  it('go with every request to the target’s origin, of frames and workers too, and with no other', async () => {
    const { report } = await prober.probe({ url: site.url('/parts'), header: ['X-Mine: yes', 'Authorization: Bearer secret'] });
    expect(report).toEqual(['yes', 'yes']);
    const own = site.requests.filter(({ url }) => ['/parts', '/own.png', '/api', '/worker.js', '/from-worker'].includes(url));
    expect(own.map(({ headers }) => headers['x-mine'])).toEqual(['yes', 'yes', 'yes', 'yes', 'yes']);
    expect(other.requests.map(({ url }) => url).sort()).toEqual(expect.arrayContaining(['/frame', '/img.png']));
    for (const { headers } of other.requests) expect(headers).not.toMatchObject({ 'x-mine': 'yes' });
    for (const { headers } of other.requests) expect(headers.authorization).toBeUndefined();
  });

  it('arrive as the bytes of UTF-8', async () => {
    const { report } = await prober.probe({ url: site.url('/bytes'), header: ['X-Mine: caf\u00e9 \u20ac'] });
    expect(report).toBe(Buffer.from('caf\u00e9 \u20ac').toString('hex'));
  });

  it('leave a referrer to the target alone: where it is redirected gets what it would get without', async () => {
    const secret = 'https://intranet.test/secret?q=1';
    const { report } = await prober.probe({ url: site.url('/referred'), header: [`Referer: ${secret}`] });
    expect(report).toBe('fetched by http://127.0.0.1/');
    const refererOf = ({ requests }: Site, path: string) => requests.find(({ url }) => url === path)?.headers.referer;
    for (const path of ['/referred', '/hop-img', '/hop-frame', '/hop-fetch']) expect(refererOf(site, path), path).toBe(secret);
    expect(refererOf(other, '/to-target')).toBeUndefined();
    expect(refererOf(site, '/referred-page')).toBe(secret);
    for (const path of ['/img?hop', '/frame?hop', '/fetch?hop']) expect(refererOf(other, path), path).toBe(site.url('/'));
  });
});

describe('javascript', () => {
  it('runs in the page’s own world, after load', async () => {
    const { report, html } = await prober.probe({
      url: site.url('/late'),
      javascript: "report.push('mine'); document.querySelector('#a').textContent = 'changed'",
    });
    expect(report).toEqual(['loaded', 'mine']);
    expect(html).toContain('changed');
  });

  it.each([
    "new Promise((resolve) => setTimeout(() => { report.push('later'); resolve() }, 50))",
    "await new Promise((r) => setTimeout(r, 50)); report.push('later')",
  ])('is awaited: %s', async (javascript) => {
    const { report } = await prober.probe({ url: site.url('/late'), javascript });
    expect(report).toEqual(['loaded', 'later']);
  });

  it('runs before the wait condition, which may be its doing', async () => {
    const { html } = await prober.probe({
      url: site.url('/late'),
      javascript: "setTimeout(() => { a.className = 'ready' }, 50); 1",
      wait_for: 'css:.ready',
    });
    expect(html).toContain('ready');
  });

  it('may lead to another page, which is then the one', async () => {
    const { report } = await prober.probe({
      url: site.url('/late'),
      javascript: "location.href = '/next'; await new Promise(() => undefined)",
    });
    expect(report).toBe('next');
  });

  it.each([
    ["throw new TypeError('boom')", 'TypeError: boom'],
    ["Promise.reject(new Error('later boom'))", 'later boom'],
    ["throw 'text'", 'text'],
    ['throw { a: 1, why: "no", list: [1, 2] }', '"javascript" failed: {"a": 1, "why": "no", "list": Array(2)}'],
    ['Promise.reject({ a: null })', '"javascript" failed: {"a": null}'],
    ['throw [1, "b"]', '"javascript" failed: [1, "b"]'],
    ['throw new (class Refusal { code = 7 })()', '"javascript" failed: Refusal {"code": 7}'],
    ['throw { toJSON() { for (;;); }, get a() { for (;;); } }', '"a": accessor'],
    ['throw { a: "x".repeat(1000), b: 1, c: 2, d: 3, e: 4, f: 5 }', ', …}'],
    ['throw undefined', '"javascript" failed: undefined'],
    ['throw null', '"javascript" failed: null'],
    ['throw 12n', '"javascript" failed: 12n'],
    ['this is no script', 'SyntaxError'],
  ])('that fails is a 422 with its message: %s', async (javascript, message) => {
    await expect(prober.probe({ url: site.url('/late'), javascript })).rejects.toThrow(
      expect.objectContaining({ code: 'script_failed', message: expect.stringContaining(message) }),
    );
  });
});
