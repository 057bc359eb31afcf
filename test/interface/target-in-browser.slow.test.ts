import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { openSite, type Site } from '../helpers/site.js';
import { toQuery } from './planner.js';

/** What it finds, as text. */
const PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><pre></pre><script>
const { innerWidth: width, innerHeight: height, devicePixelRatio: scale } = window;
const { userAgent: agent, platform, languages, maxTouchPoints: touch } = navigator;
document.querySelector('pre').textContent =
  JSON.stringify({ width, height, scale, agent, platform, languages, touch, mobile: navigator.userAgentData?.mobile, hints: navigator.userAgentData?.platform, cookie: document.cookie });
</script>`;

const ended = (script: string) => `<!doctype html><p>shown</p><script>${script}</script>`;

let server: RunningServer;
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/': PAGE,
    // A subresource that never comes: the load event does not either.
    '/hangs': '<!doctype html><p>shown</p><img src="/never">',
    // One and three requests that never end, begun by the load event.
    '/busy1': ended(`addEventListener('load', () => { fetch('/never?1') })`),
    '/busy3': ended(`addEventListener('load', () => { for (const n of '123') fetch('/never?' + n) })`),
    '/early': ended(`dispatchEvent(new Event('app-ready'))`),
    '/late': ended(
      `addEventListener('load', () => setTimeout(() => { document.body.append(Object.assign(document.createElement('b'), { id: 'late' })) }, 50))`,
    ),
    '/never': () => undefined,
    '/moved': { status: 302, headers: { location: '/' } },
    '/away': () => ({ status: 302, headers: { location: site.url('/', 'localhost') } }),
    '/script':
      '<!doctype html><p>before</p><script>addEventListener("load", () => { document.querySelector("p").textContent += " load" })</script>',
    '/gone': { status: 404, body: '<p>nothing here' },
    '/tall': '<!doctype html><body style="margin: 0"><div style="height: 700px; background: red"></div>',
  });
  // As many at once as there are tests that wait side by side.
  server = await startServer(['--browser-concurrency', '8']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const render = (path: string, params: object = {}) =>
  fetch(`${server.url}/?${toQuery({ url: site.url(path), output_type: 'txt', ...params })}`);

const find = async (params: object, path = '/'): Promise<unknown> => JSON.parse(await (await render(path, params)).text());

/** The headers with which the page itself was asked for, last time. */
const sent = (path = '/') => site.requests.findLast(({ url }) => url === path)?.headers;

const sizeOf = async (path: string, params: object) => {
  const { width, height } = await sharp(
    Buffer.from(await (await render(path, { output_type: 'png', ...params })).arrayBuffer()),
  ).metadata();
  return [width, height];
};

describe('Target and browser: what the page and its site find', () => {
  it('accept_language is the Accept-Language header, and the languages of scripts', async () => {
    expect(await find({ accept_language: 'de-CH, de;q=0.9' })).toMatchObject({ languages: ['de-CH', 'de'] });
    expect(sent()?.['accept-language']).toBe('de-CH,de;q=0.9');
  });

  it('browser_width and browser_height are the viewport', async () => {
    expect(await find({ browser_width: 501, browser_height: 302 })).toMatchObject({ width: 501, height: 302, scale: 1 });
  });

  it('device sets viewport size, scale, user agent, platform and mobile emulation', async () => {
    expect(await find({ device: 'Pixel 5' })).toMatchObject({
      ...{ width: 393, scale: 3, touch: 5, mobile: true, platform: expect.stringContaining('Linux arm') },
      agent: expect.stringContaining('Pixel 5'),
    });
    expect(sent()?.['user-agent']).toContain('Pixel 5');
    expect(sent()?.['sec-ch-ua-mobile']).toBe('?1');
  });

  it('user_agent of a phone comes with the client hints of one, unless emulate_mobile says otherwise', async () => {
    const phone = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Mobile Safari/537.36';
    for (const [params, mobile] of [
      [{}, true],
      [{ emulate_mobile: false }, false],
    ] as const) {
      expect(await find({ user_agent: phone, ...params })).toMatchObject({ agent: phone, mobile, hints: 'Android', width: 1280 });
      expect(sent()?.['sec-ch-ua-mobile']).toBe(mobile ? '?1' : '?0');
    }
  });

  it('individual settings override the device preset', async () => {
    const own = { browser_width: 500, device_scale_factor: 1.5, user_agent: 'Mine/1.0', platform: 'Win32' };
    expect(await find({ device: 'Pixel 5', ...own })).toMatchObject({
      width: 500,
      scale: 1.5,
      agent: 'Mine/1.0',
      platform: 'Win32',
      touch: 5,
    });
    expect(sent()?.['user-agent']).toBe('Mine/1.0');
  });

  it.each([
    [333, 101, 1.25],
    [640, 360, 0.33],
  ])('the output of %i x %i at scale %d is ceil(width x scale) by ceil(height x scale)', async (browser_width, browser_height, scale) => {
    expect(await sizeOf('/', { browser_width, browser_height, device_scale_factor: scale })).toEqual([
      Math.ceil(browser_width * scale),
      Math.ceil(browser_height * scale),
    ]);
  });

  it('cookie is there for the first request, on its host and its Domain alone', async () => {
    const cookie = ['a=1', 'theme=dark; Domain=127.0.0.1', 'other=2; Domain=example.com', 'hidden=3; HttpOnly'];
    expect(await find({ cookie })).toMatchObject({ cookie: expect.not.stringMatching(/hidden|other/) });
    expect(sent()?.cookie?.split('; ').sort()).toEqual(['a=1', 'hidden=3', 'theme=dark']);
    await find({ cookie }, '/away');
    expect(sent()?.host).toContain('localhost');
    expect(sent()?.cookie).toBeUndefined();
  });

  it('header goes to the target’s own origin, across redirects too, and to no other', async () => {
    const header = ['X-Trace: 1', 'Authorization: Bearer abc'];
    await find({ header }, '/moved');
    expect(sent('/moved')).toMatchObject({ 'x-trace': '1', authorization: 'Bearer abc' });
    expect(sent()).toMatchObject({ 'x-trace': '1', authorization: 'Bearer abc' });
    await find({ header }, '/away');
    expect(sent('/away')).toHaveProperty('x-trace');
    expect(sent()?.host).toContain('localhost');
    expect(sent()).not.toHaveProperty('x-trace');
    expect(sent()).not.toHaveProperty('authorization');
  });

  it('header may set the user agent: scripts and other origins see the same', async () => {
    expect(await find({ header: ['user-agent: Mine/2.0', 'X-Trace: 1'] }, '/away')).toMatchObject({ agent: 'Mine/2.0' });
    expect([sent('/away')?.['user-agent'], sent()?.['user-agent']]).toEqual(['Mine/2.0', 'Mine/2.0']);
    expect([sent('/away')?.['x-trace'], sent()?.['x-trace']]).toEqual(['1', undefined]);
  });

  it('platform overrides the device preset, in the client hints too', async () => {
    expect(await find({ device: 'Pixel 9', platform: 'Win32' })).toMatchObject({ platform: 'Win32', hints: 'Windows' });
    expect(sent()?.['sec-ch-ua-platform']).toBe('"Windows"');
  });

  it('javascript runs in the page after load', async () => {
    const response = await render('/script', { javascript: `document.querySelector('p').textContent += ' after'` });
    expect((await response.text()).trim()).toBe('before load after');
  });

  it('fail is on by default: a target that answers non-2xx is an error', async () => {
    expect((await render('/gone')).status).toBe(502);
    expect((await render('/gone', { fail: true })).status).toBe(502);
    const rendered = await render('/gone', { fail: false });
    expect([rendered.status, rendered.headers.get('x-target-status'), (await rendered.text()).trim()]).toEqual([
      200,
      '404',
      'nothing here',
    ]);
  });

  it('full_page captures the full scrollable page, which is loaded twice', async () => {
    const before = site.requests.length;
    expect(await sizeOf('/tall', { browser_width: 200, browser_height: 100, full_page: true })).toEqual([200, 700]);
    expect(site.requests.slice(before).filter(({ url }) => url === '/tall')).toHaveLength(2);
    expect(await sizeOf('/tall', { browser_width: 200, browser_height: 100 })).toEqual([200, 100]);
  });

  it('timeout=0 and no_timeout=true are no timeout, not one of nothing', async () => {
    expect((await render('/', { timeout: 0 })).status).toBe(200);
    expect((await render('/', { timeout: 0.001, no_timeout: true })).status).toBe(200);
    expect((await render('/', { timeout: 0.001 })).status).toBe(504);
  });
});

describe('wait_for', () => {
  it.each([
    ['a number counts from DOMContentLoaded, whether or not the page loads', '/hangs', '0.1'],
    ['immediate does not wait for the load event', '/hangs', 'immediate'],
    ['load waits for no request that comes after it', '/busy1', 'load'],
    ['networkidle0 is met once nothing is under way', '/', 'networkidle0'],
    ['networkidle0:N takes its quiet time', '/', 'networkidle0:0.1'],
    ['networkidle2 lets two requests be under way', '/busy1', 'networkidle2'],
    ['networkidle2:N takes its quiet time', '/busy1', 'networkidle2:0.1'],
    ['js: hears an event that came early', '/early', 'js:app-ready'],
    ['js: does not need the load event', '/hangs', 'js:DOMContentLoaded'],
    ['css: is met by an element that comes late', '/late', 'css:#late'],
    ['css: does not need the load event', '/hangs', 'css:p'],
  ])('%s', async (_rule, path, wait_for) => {
    expect((await render(path, { wait_for })).status).toBe(200);
  });

  it.concurrent.each([
    ['load may time out if a subresource hangs', '/hangs', 'load'],
    ['networkidle0 requires the load event', '/hangs', 'networkidle0'],
    ['networkidle2 requires the load event', '/hangs', 'networkidle2:0'],
    ['networkidle0 lets nothing be under way', '/busy1', 'networkidle0'],
    ['networkidle2 lets no three requests be under way', '/busy3', 'networkidle2'],
    ['js: is not met by what nobody fires', '/', 'js:app-ready'],
    ['css: is not met by what is not there', '/', 'css:#late'],
  ])('%s', async (_rule, path, wait_for) => {
    const response = await render(path, { wait_for, timeout: 2 });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ code: 'render_timeout', unmet: `wait_for=${wait_for}` });
  });
});
