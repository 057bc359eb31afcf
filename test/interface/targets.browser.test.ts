import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { startServer, type RunningServer } from '../helpers/run-cli.js';

let server: RunningServer;
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/': '<!doctype html><title>Hello</title><h1>Hello</h1>',
    '/to-teapot': '<script>location.replace("/teapot")</script>',
    '/to-home': '<script>location.replace("/")</script>',
    '/teapot': { status: 418, body: '<p>I am a teapot' },
  });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const render = (params: Readonly<Record<string, string>>) => fetch(`${server.url}/?${new URLSearchParams(params).toString()}`);

async function problemOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return (await response.json()) as Record<string, unknown>;
}

describe('a render', () => {
  it('answers with the output, its type and its headers', async () => {
    const response = await render({ url: site.url('/'), browser_width: '320', browser_height: '200', device_scale_factor: '1.5' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="127.0.0.1.png"');
    expect(response.headers.get('server-timing')).toMatch(
      /^queue;dur=[\d.]+, open;dur=[\d.]+, navigate;dur=[\d.]+, wait;dur=[\d.]+, capture;dur=[\d.]+, encode;dur=[\d.]+$/,
    );
    const body = Buffer.from(await response.arrayBuffer());
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([480, 300]);
    expect(response.headers.get('content-length')).toBe(String(body.length));
  });
});

describe('what the target does', () => {
  it('target answers non-2xx and fail is true: 502 target_status', async () => {
    expect(await problemOf(await render({ url: site.url('/teapot') }))).toMatchObject({
      status: 502,
      code: 'target_status',
      target: { url: site.url('/teapot'), status: 418 },
    });
  });

  it('with fail=false it renders, and the answer carries X-Target-Status', async () => {
    const response = await render({ url: site.url('/teapot'), fail: 'false' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-target-status')).toBe('418');
  });

  it('scripts of the target lead to a page that answers non-2xx before the load event: that page is the one in the picture, and is judged', async () => {
    expect(await problemOf(await render({ url: site.url('/to-teapot') }))).toMatchObject({
      status: 502,
      code: 'target_status',
      target: { url: site.url('/teapot'), status: 418 },
    });
    const response = await render({ url: site.url('/to-teapot'), fail: 'false' });
    expect([response.status, response.headers.get('x-target-status')]).toEqual([200, '418']);
    const home = await render({ url: site.url('/to-home') });
    expect([home.status, home.headers.get('x-target-status')]).toEqual([200, null]);
  });

  it('and afterwards the server renders as before', async () => {
    expect((await render({ url: site.url('/') })).status).toBe(200);
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ status: 'ok', in_flight: 0, queued: 0 });
  });
});
