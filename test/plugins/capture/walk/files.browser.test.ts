import { setInterval } from 'node:timers';
import type { Progress } from '@platen/kernel';
import { afterAll, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openWalkProber } from './walk-prober.js';

const prober = openWalkProber();
afterAll(() => prober[Symbol.asyncDispose]());

const HTML = { 'content-type': 'text/html' };
const media = (path: string) => ({ headers: HTML, body: `<video preload="none" src="${path}"></video>` });

it('a file that never ends is cut after crawl_page_timeout', async () => {
  await using site = await openSite({
    '/': media('/endless.webm'),
    '/endless.webm': (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/webm' });
      const timer = setInterval(() => response.write('more'), 20);
      response.on('close', () => {
        clearInterval(timer);
      });
      return undefined;
    },
  });
  const { pages } = await prober.walk({ url: site.url('/'), crawl_media_sources: true, crawl_page_timeout: 5 });
  expect(pages.map(({ exchanges }) => exchanges)).toContainEqual(['GET /endless.webm 200']);
});

it('files get the headers of the request, on the origin of the target only', async () => {
  await using other = await openSite({ '/v.webm': 'v' });
  await using site = await openSite({
    '/': {
      headers: HTML,
      body: `<video preload="none" src="/v.webm"></video><video preload="none" src="${other.url('/v.webm')}"></video>`,
    },
    '/v.webm': 'v',
  });
  await prober.walk({ url: site.url('/'), crawl_media_sources: true, header: ['Authorization: Basic dTpw'] });
  expect(site.requests.find(({ url }) => url === '/v.webm')?.headers.authorization).toBe('Basic dTpw');
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

it('a document that a page refreshes to against robots.txt is not archived', async () => {
  await using site = await openSite({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret' },
    '/': { headers: HTML, body: '<meta http-equiv="refresh" content="0.1;url=/secret">' },
    '/secret': 'secret',
  });
  const { pages } = await prober.walk({ url: site.url('/'), crawl_media_sources: true }).catch(() => ({ pages: [] }));
  expect(pages.flatMap(({ exchanges }) => exchanges).filter((line) => line.includes('/secret'))).toEqual([]);
});

it('a body that the page reads as a blob is stored whole', async () => {
  const bytes = Buffer.alloc(2_000_000, 'blob');
  await using site = await openSite({
    '/': `<script>fetch('/data').then((answer) => answer.blob()).then(({ size }) => { document.title = String(size) })</script>`,
    '/data': { headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes.length) }, body: bytes },
  });
  const { pages } = await prober.walk({ url: site.url('/') });
  expect(pages[0]).toMatchObject({ title: '2000000', bytes: expect.arrayContaining([['/data', bytes.length]]) as unknown });
});

it('several workers together load no more pages than crawl_max_links', async () => {
  const links = Array.from({ length: 8 }, (_none, at) => `<a href="/${String(at)}">x</a>`).join('');
  await using site = await openSite({
    '/': links,
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((at) => [`/${String(at)}`, 'page'])),
  });
  await using wide = openWalkProber({ 'browser-concurrency': 6 });
  const { summary } = await wide.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 6, crawl_max_links: 3 });
  expect(summary).toEqual({ done: 3, failed: 0, stopReason: 'crawl_max_links' });
  expect(site.requests.length).toBe(3);
});

it('what fails is reported with its reason, and the limit that ends the walk', async () => {
  await using site = await openSite({
    '/': `<video preload="none" src="/gone.webm"></video><a href="/bad">x</a>`,
    '/bad': { status: 500, headers: HTML, body: 'broken' },
    '/next': 'never visited',
  });
  const reports: Progress[] = [];
  const onProgress = (progress: Progress) => reports.push(progress);
  const params = { url: site.url('/'), crawl_links: true, crawl_media_sources: true };
  await prober.walk(params, { onProgress });
  expect(reports.map(({ url, failure }) => [new URL(url).pathname, failure])).toEqual(
    expect.arrayContaining([
      ['/gone.webm', 'its server responded with status 404'],
      ['/bad', expect.stringContaining('500')],
    ]),
  );
  expect(reports.at(-1)).toMatchObject({ done: 1, failed: 2, stopReason: undefined });
  await prober.walk({ ...params, crawl_max_links: 1 }, { onProgress });
  expect(reports.at(-1)).toMatchObject({ done: 1, failed: 0, stopReason: 'crawl_max_links' });
});
