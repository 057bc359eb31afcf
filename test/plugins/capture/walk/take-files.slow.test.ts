import type { IncomingMessage } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openWalkProber, pathsOf } from './walk-prober.js';

const prober = openWalkProber();
afterAll(() => prober[Symbol.asyncDispose]());

it('lists files that links lead to, each requested once, with the cookies', async () => {
  const files: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/a.pdf': { 'content-type': 'application/pdf' },
    '/b': { 'content-type': 'application/zip' },
    '/c': { 'content-type': 'text/plain', 'content-disposition': 'attachment' },
    '/d.csv': { 'content-type': 'text/csv' },
    '/e': { 'content-type': 'application/octet-stream', 'content-length': '3000000' },
  };
  const body = (path: string) => (path === '/e' ? Buffer.alloc(3_000_000, 'e') : Buffer.from(`file ${path}`));
  const cookies = new Set<string | undefined>();
  const routes = Object.entries(files).map(([path, headers]) => {
    const answer = ({ headers: { cookie } }: IncomingMessage) => {
      cookies.add(cookie);
      return { headers, body: body(path) };
    };
    return [path, answer] as const;
  });
  const links = [...Object.keys(files), '/to-a'].map((path) => `<a href="${path}">x</a>`).join('');
  await using site = await openSite({
    '/': { headers: { 'set-cookie': 'a=1', 'content-type': 'text/html' }, body: links },
    '/to-a': { status: 302, headers: { location: '/b?2' } },
    '/b?2': { headers: { 'content-type': 'application/pdf' }, body: 'two' },
    ...Object.fromEntries(routes),
  });
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, archive_body_size_limit: 2_000_000 });
  expect(pathsOf(end)).toEqual(['/', ...Object.keys(files), '/to-a']);
  for (const path of Object.keys(files)) {
    const page = end.pages.find(({ url }) => url === site.url(path));
    const stored = Math.min(2_000_000, body(path).length);
    expect(page).toMatchObject({ status: 200, exchanges: [`GET ${path} 200`], bytes: [[path, stored]] });
    expect(page?.loadState).toBe(path === '/e' ? 'timeout' : 'complete');
    expect(site.requests.filter(({ url }) => url === path)).toHaveLength(1);
  }
  expect(end.pages.find(({ url }) => url === site.url('/to-a'))).toMatchObject({
    status: 200,
    exchanges: ['GET /to-a 302', 'GET /b 200'],
  });
  expect([...cookies]).toEqual(['a=1']);
  expect(end.summary).toEqual({ done: 7, failed: 0 });
});

it('a file that does not end within its time is cut', async () => {
  await using site = await openSite({
    '/': { headers: { 'content-type': 'text/html' }, body: '<a href="/endless.zip">x</a>' },
    '/endless.zip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/zip' });
      response.write(Buffer.alloc(200_000));
      return undefined;
    },
  });
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_page_timeout: 5 });
  const page = end.pages.find(({ url }) => url === site.url('/endless.zip'));
  expect(page).toMatchObject({ status: 200, loadState: 'timeout' });
  expect(page?.bytes[0]?.[1]).toBeGreaterThanOrEqual(131_072);
}, 60_000);

it('a page that starts a download is listed as itself, and its links are followed', async () => {
  await using site = await openSite({
    '/': { headers: { 'content-type': 'text/html' }, body: '<a href="/starts">x</a>' },
    '/starts': {
      headers: { 'content-type': 'text/html' },
      body: '<title>Thank you</title><a href="/after">x</a><script>onload = () => { location = "/x.zip" }</script>',
    },
    '/x.zip': { headers: { 'content-type': 'application/zip' }, body: 'PK' },
    '/after': { headers: { 'content-type': 'text/html' }, body: 'after' },
  });
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_link_depth: 3 });
  expect(pathsOf(end)).toEqual(expect.arrayContaining(['/', '/after', '/starts']));
  const page = end.pages.find(({ url }) => url === site.url('/starts'));
  expect(page).toMatchObject({ status: 200, title: 'Thank you' });
  expect(page?.bytes.find(([path]) => path === '/starts')?.[1]).toBeGreaterThan(50);
}, 60_000);
