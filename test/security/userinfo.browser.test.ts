import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { openSite, type Site } from '../helpers/site.js';

const [USER, PASSWORD] = ['canary-user&co', 'canary-password'];
const PAGE = `<!doctype html><meta charset=utf-8><title>t</title><link rel=stylesheet href=/style.css><h1 id=h>h</h1><a href=/other>link</a>
  <a href=#h>here</a><img src=/picture.svg alt=p><iframe src=/frame></iframe><form action=/post><input name=q></form>`;

let site: Site;
let server: RunningServer;
beforeAll(async () => {
  const only = (answer: object | string) => (request: { headers: { authorization?: string | undefined } }) =>
    request.headers.authorization === undefined ? { status: 401, headers: { 'www-authenticate': 'Basic realm=x' } } : answer;
  site = await openSite({
    '/': only(PAGE),
    '/style.css': only({ headers: { 'content-type': 'text/css' }, body: '@font-face{font-family:A;src:url(/font)}h1{font-family:A}' }),
    '/picture.svg': only({
      headers: { 'content-type': 'image/svg+xml' },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    }),
    '/frame': only('<a href=/in-frame>link</a>'),
  });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

it.each(['html', 'mhtml', 'markdown', 'txt', 'pdf', 'har', 'axtree', 'axtree_json', 'trace', 'pprof_cpu', 'pprof_memory'])(
  'L5: what is made of a target with user and password as %s holds neither',
  async (type) => {
    const target = site.url('/').replace('http://', `http://${encodeURIComponent(USER).replace('%26', '&')}:${PASSWORD}@`);
    const response = await fetch(`${server.url}/?${new URLSearchParams({ url: target, output_type: type }).toString()}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get('x-target-status') ?? '200']).toEqual([200, '200']);
    const text = (bytes.subarray(0, 2).toString('hex') === '1f8b' ? gunzipSync(bytes) : bytes).toString('latin1').replaceAll('=\r\n', '');
    expect(text.length).toBeGreaterThan(0);
    expect(text).not.toContain('canary-');
    if (type === 'pdf' || type === 'mhtml' || type === 'markdown') expect(text).toContain(site.url('/other'));
  },
);

it('L5: pictures are embedded all the same', async () => {
  const url = site.url('/').replace('http://', `http://user:${PASSWORD}@`);
  const params = new URLSearchParams({ url, output_type: 'markdown', markdown_embed_content: 'true' });
  expect(await (await fetch(`${server.url}/?${params.toString()}`)).text()).toContain('![p](data:image/svg+xml;base64,');
});
