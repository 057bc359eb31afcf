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

  it('text: visits the URLs of a data: URL', async () => {
    await using site = await openSite({ '/a': 'a', '/b': 'b' });
    const list = `# two\n${site.url('/a')}\n\n${site.url('/b')}\n`;
    const end = await prober.walk({ url: `data:text/plain,${encodeURIComponent(list)}`, crawl_url_is_sitemap: 'text' });
    expect(pathsOf(end)).toEqual(['/a', '/b']);
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
