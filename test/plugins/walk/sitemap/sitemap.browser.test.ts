import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setInterval } from 'node:timers';
import type { Progress } from '@platen/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openWalkProber, pathsOf } from '../../capture/walk/walk-prober.js';

const prober = openWalkProber();
afterAll(() => prober[Symbol.asyncDispose]());

describe('crawl_url_is_sitemap', () => {
  it('visits the URLs of a sitemap and of those in it', async () => {
    const sitemap = (urls: readonly string[], kind = 'url') => ({
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0"?><${kind === 'url' ? 'urlset' : 'sitemapindex'} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<${kind}><loc>${url}</loc></${kind}>`).join('')}</${kind === 'url' ? 'urlset' : 'sitemapindex'}>`,
    });
    await using site = await openSite({
      '/sitemap.xml': () => sitemap([site.url('/one.xml'), site.url('/broken.xml')], 'sitemap'),
      '/one.xml': () => sitemap([site.url('/a'), site.url('/b')]),
      '/a': '<a href="/c">not followed</a>',
      '/b': '',
      '/broken.xml': { status: 500, body: '' },
    });
    const end = await prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'auto' });
    expect(pathsOf(end)).toEqual(['/a', '/b']);
    expect(
      end.pages
        .filter(({ isPage }) => !isPage)
        .map(({ url }) => new URL(url).pathname)
        .sort(),
    ).toEqual(['/broken.xml', '/one.xml', '/robots.txt', '/sitemap.xml']);
  });

  it('fetches at most as many lists as the larger of 100 and crawl_max_links, and names the limit', async () => {
    const index = (urls: readonly string[]) => ({
      headers: { 'content-type': 'application/xml' },
      body: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`,
    });
    let lists = 0;
    const endless = (): unknown => {
      lists += 1;
      return index(Array.from({ length: 40 }, (_, at) => site.url(`/list?${String(lists)}.${String(at)}`)));
    };
    await using site = await openSite({ '/list': endless as never });
    const params = { url: site.url('/list'), crawl_url_is_sitemap: 'auto', crawl_sitemap_max_depth: 50, skip_robots_txt: true };
    expect((await prober.walk({ ...params, crawl_max_links: 20 })).summary).toMatchObject({ stopReason: 'crawl_max_links' });
    expect(lists).toBe(100);
  });

  it('text: visits the URLs of a data: URL', async () => {
    await using site = await openSite({ '/a': 'a', '/b': 'b' });
    const list = `# two\n${site.url('/a')}\n\n${site.url('/b')}\n`;
    const end = await prober.walk({ url: `data:text/plain,${encodeURIComponent(list)}`, crawl_url_is_sitemap: 'text' });
    expect(pathsOf(end)).toEqual(['/a', '/b']);
  });

  const XML = { 'content-type': 'application/xml' };
  const NEVER = [
    ['that stalls', () => undefined],
    [
      'that is endless',
      (response: ServerResponse) => {
        const timer = setInterval(() => response.write('<url><loc>/next</loc></url>'), 5);
        response.on('close', () => {
          clearInterval(timer);
        });
      },
    ],
  ] as const;

  it.each(NEVER)('begins while the list arrives, and reads no further than crawl_max_links: a list %s', async (_what, goOn) => {
    const closed = new EventEmitter();
    await using site = await openSite({
      '/sitemap.xml': (_request, response) => {
        response.on('close', () => closed.emit('close'));
        response.writeHead(200, XML);
        response.write(`<urlset><!--${' '.repeat(512)}-->${['/a', '/b', '/c'].map((path) => `<url><loc>${path}</loc></url>`).join('')}`);
        goOn(response);
        return undefined;
      },
      '/a': 'a',
      '/b': 'b',
      '/c': 'c',
    });
    const ended = once(closed, 'close');
    const end = await prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'xml', crawl_max_links: 3 });
    await ended;
    expect(pathsOf(end)).toEqual(['/a', '/b', '/c']);
    expect(end.summary).toEqual({ done: 3, failed: 0, stopReason: 'crawl_max_links' });
    expect(end.pages.find(({ url }) => url.endsWith('.xml'))?.exchanges).toEqual(['GET /sitemap.xml 200']);
  });

  it('a list in an index that is endless is read no further either', async () => {
    await using site = await openSite({
      '/sitemap.xml': { headers: XML, body: '<sitemapindex><sitemap><loc>/one.xml</loc></sitemap></sitemapindex>' },
      '/one.xml': (_request, response) => {
        response.writeHead(200, XML);
        response.write(`<urlset><!--${' '.repeat(512)}--><url><loc>/a</loc></url>`);
        NEVER[1][1](response);
        return undefined;
      },
      '/a': 'a',
    });
    const end = await prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'xml', crawl_max_links: 1 });
    expect(pathsOf(end)).toEqual(['/a']);
    expect(end.summary.stopReason).toBe('crawl_max_links');
    expect(end.pages.map(({ url }) => new URL(url).pathname)).toEqual(expect.arrayContaining(['/sitemap.xml', '/one.xml']));
  });

  it('a list that is not read to its end is reported', async () => {
    await using site = await openSite({
      '/sitemap.xml': {
        headers: XML,
        body: '<sitemapindex><sitemap><loc>/cut.xml</loc></sitemap><sitemap><loc>/gone.xml</loc></sitemap></sitemapindex>',
      },
      '/cut.xml': { headers: XML, body: '<urlset><url><loc>/a</loc></url>' },
      '/a': 'a',
    });
    const reports: (readonly [string, string | undefined])[] = [];
    const onProgress = ({ url, failure }: Progress) => reports.push([new URL(url).pathname, failure]);
    await prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'xml' }, { onProgress });
    expect(reports.filter(([, failure]) => failure !== undefined)).toEqual([
      ['/cut.xml', 'the list cannot be read to its end: it is incomplete: it ends within an element'],
      ['/gone.xml', 'the list responded with status 404'],
    ]);
  });

  it('a list that exactly fills crawl_max_links was not stopped', async () => {
    const locations = ['/a', '/b'].map((path) => `<url><loc>${path}</loc></url>`);
    await using site = await openSite({
      '/sitemap.xml': { headers: XML, body: `<urlset>${locations.join('')}</urlset>` },
      '/a': 'a',
      '/b': 'b',
    });
    const end = await prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'xml', crawl_max_links: 2 });
    expect(end.summary).toEqual({ done: 2, failed: 0, stopReason: undefined });
    expect(end.pages.find(({ url }) => url.endsWith('.xml'))?.bytes[0]?.[1]).toBeGreaterThan(50);
  });

  it('a list that cannot be fetched is an error of the render', async () => {
    await using site = await openSite({});
    await expect(prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'auto' })).rejects.toMatchObject({
      code: 'target_status',
    });
  });

  it.each([
    ['an HTML page', '<!doctype html><title>Not here</title>', 'the list cannot be read'],
    [
      'a document with a DOCTYPE',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><urlset><url><loc>&b;</loc></url></urlset>',
      'DOCTYPE',
    ],
  ])('%s instead of a list is an error of the render', async (_what, body, message) => {
    await using site = await openSite({ '/sitemap.xml': { headers: { 'content-type': 'application/xml' }, body } });
    const walk = prober.walk({ url: site.url('/sitemap.xml'), crawl_url_is_sitemap: 'auto' });
    await expect(walk).rejects.toMatchObject({ code: 'target_not_page', message: expect.stringContaining(message) as unknown });
  });
});
