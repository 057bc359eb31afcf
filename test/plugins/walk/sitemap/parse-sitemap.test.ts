import { describe, expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import { gzip, inChunks, readSitemap, urlset } from './read-sitemap.js';
import { parseSitemap } from '../../../../plugins/walk/sitemap/src/parse-sitemap.js';
import { SitemapError } from '../../../../plugins/walk/sitemap/src/limits.js';

const A = { kind: 'url', url: 'https://a.example/a' } as const;
const B = { kind: 'url', url: 'https://a.example/b' } as const;
const MAP = { kind: 'sitemap', url: 'https://a.example/1.xml.gz' } as const;
const TWO = urlset('<url><loc>https://a.example/a</loc></url>', '<url><loc>https://a.example/b</loc></url>');

/** Bytes of UTF-16, with a byte order mark or without. */
const utf16 = (text: string, order: 'le' | 'be', mark = '\uFEFF'): Buffer => {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

describe('XML', () => {
  it.each([
    [
      'with dates',
      urlset('<url><loc>/a</loc><lastmod> 2026-01-02T03:04:05+00:00\n</lastmod></url>'),
      [{ ...A, lastModified: '2026-01-02T03:04:05+00:00' }],
    ],
    ['with an empty date', urlset('<url><lastmod/><loc>/a</loc></url>'), [A]],
    ['with an entry before another', TWO, [A, B]],
    ['with blanks around the URL', urlset('<url><loc>\n\t https://a.example/a \n</loc></url>'), [A]],
    ['with a relative URL', urlset('<url><loc>../a</loc></url>'), [A]],
    ['with a URL without a scheme', urlset('<url><loc>//a.example/a</loc></url>'), [A]],
    ['with a blank in a URL', urlset('<url><loc>https://a.example/a b</loc></url>'), [{ kind: 'url', url: 'https://a.example/a%20b' }]],
    [
      'with CDATA',
      urlset('<url><loc><![CDATA[https://a.example/?x=1&y=2]]></loc></url>'),
      [{ kind: 'url', url: 'https://a.example/?x=1&y=2' }],
    ],
    ['with CDATA beside text', urlset('<url><loc>https://a.<![CDATA[example/a]]></loc></url>'), [A]],
    ['with references', urlset('<url><loc>/?x=1&amp;y=&#50;&#x33;</loc></url>'), [{ kind: 'url', url: 'https://a.example/?x=1&y=23' }]],
    [
      'with a bare ampersand',
      urlset('<url><loc>/?x=1&y=2&copy=3</loc></url>'),
      [{ kind: 'url', url: 'https://a.example/?x=1&y=2&copy=3' }],
    ],
    ['with prefixes', '<s:urlset xmlns:s="x"><s:url><s:loc>/a</s:loc></s:url></s:urlset>', [A]],
    ['with an unbound prefix', '<s:urlset><s:url><s:loc>/a</s:loc></s:url></s:urlset>', [A]],
    ['with names in capitals', '<URLSET><Url><LOC>/a</LOC></Url></URLSET>', [A]],
    ['without a declaration', '<urlset><url><loc>/a</loc></url></urlset>', [A]],
    ['after blank lines', `\n \n${TWO}`, [A, B]],
    ['after a comment', `<!-- <url><loc>/c</loc></url> -->${TWO}<!-- end -->`, [A, B]],
    ['before blanks and text', `${TWO}\n<urlset>more`, [A, B]],
    ['with a style sheet', `<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?>${TWO.slice(21)}`, [A, B]],
    ['with images', urlset('<url><loc>/a</loc><image:image><image:loc>/i.png</image:loc></image:image></url>'), [A]],
    ['with alternates', urlset('<url><loc>/a</loc><xhtml:link rel="alternate" href="/de"/></url>'), [A]],
    [
      'with other elements',
      urlset('<loc>/c</loc><sitemap><loc>/d</loc></sitemap><x><url><loc>/e</loc></url></x><url><loc>/a</loc></url>'),
      [A],
    ],
    ['without entries', '<urlset/>', []],
    [
      'that is an index',
      '<sitemapindex><sitemap><loc>/1.xml.gz</loc><lastmod>2026</lastmod></sitemap></sitemapindex>',
      [{ ...MAP, lastModified: '2026' }],
    ],
    ['that is an index with URLs', '<sitemapindex><url><loc>/a</loc></url><sitemap><loc>/1.xml.gz</loc></sitemap></sitemapindex>', [MAP]],
  ])('%s is read, in chunks of any size', async (_, xml, entries) => {
    for (const size of [1, 7, Infinity])
      expect(await readSitemap(inChunks(xml, size))).toEqual({ entries, warnings: [], error: undefined });
  });

  it.each([
    ['ftp://a.example/', 'ftp://a.example/'],
    ['mailto:me@a.example', 'mailto:me@a.example'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['http://', 'http://'],
    ['', ''],
    ['two words', 'two words'],
  ])('an entry with the URL "%s" is skipped with a warning', async (loc, quoted) => {
    const { entries, warnings } = await readSitemap(urlset(`<url><loc>${loc}</loc></url>`, '<url/>', '<url><loc>/a</loc></url>'));
    expect(entries).toEqual([A]);
    expect(warnings).toEqual([`an entry is no http(s) URL: "${quoted}"`]);
  });

  it('an entry whose URL is too long is skipped with a warning', async () => {
    const loc = `<url><loc>/${'x'.repeat(300_000)}</loc></url>`;
    const { entries, warnings } = await readSitemap(urlset(loc, '<url><loc>/a</loc></url>'), { limits: { urlLength: 1000 } });
    expect(entries).toEqual([A]);
    expect(warnings).toEqual(['an entry has more than 1000 characters']);
    const { entries: long } = await readSitemap(urlset(loc));
    expect(long[0]?.url).toHaveLength(300_018);
  });

  it('more than 50,000 entries cause a warning', async () => {
    const { entries, warnings } = await readSitemap(urlset('<url><loc>/a</loc></url>'.repeat(50_001)));
    expect(entries).toHaveLength(50_001);
    expect(warnings).toEqual(['it has more than the 50,000 entries that the protocol allows']);
  });
});

describe('the encoding', () => {
  const accented = urlset('<url><loc>/é€</loc></url>');
  const url = 'https://a.example/%C3%A9%E2%82%AC';
  const declare = (encoding: string) => accented.replace('?>', ` encoding="${encoding}"?>`);
  it.each([
    ['UTF-8', Buffer.from(accented), undefined],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${accented}`), undefined],
    ['UTF-8 with a mark, declared otherwise', Buffer.from(`\uFEFF${declare('windows-1251')}`), 'text/xml; charset=koi8-r'],
    ['UTF-16LE with a mark', utf16(accented, 'le'), undefined],
    ['UTF-16BE with a mark', utf16(accented, 'be'), undefined],
    ['UTF-16LE without a mark', utf16(accented, 'le', ''), undefined],
    ['UTF-16BE without a mark', utf16(accented, 'be', ''), 'text/xml; charset=utf-8'],
    ['UTF-16 as declared', utf16(declare('UTF-16'), 'be'), undefined],
    ['the declared one', Buffer.from(declare('windows-1252').replace('é', '\xE9').replace('€', '\x80'), 'latin1'), undefined],
    [
      'that of the Content-Type',
      Buffer.from(accented.replace('é', '\xE9').replace('€', '\x80'), 'latin1'),
      'text/xml; Charset="Windows-1252"',
    ],
    ['that of the Content-Type, declared otherwise', Buffer.from(declare('koi8-r')), 'text/xml;charset=utf-8'],
    ['UTF-8, declared as UTF-16', Buffer.from(declare('utf-16')), undefined],
    ['UTF-8, of a Content-Type with an unknown one', Buffer.from(accented), 'text/xml; charset=none'],
  ])('%s is read, gzip or not, in chunks of any size', async (_, bytes, contentType) => {
    for (const size of [1, 1000])
      for (const body of [bytes, gzip(bytes)])
        expect((await readSitemap(inChunks(body, size), { contentType })).entries).toEqual([{ kind: 'url', url }]);
  });

  it('that is declared and unknown is an error', async () => {
    const { error } = await readSitemap(declare('klingon'));
    expect(error).toEqual(new SitemapError('its XML declaration has the unknown encoding "klingon"'));
  });
});

describe('a list', () => {
  const text = { format: 'text', url: 'https://a.example/list.txt' } as const;
  it.each([
    ['with any line ends', 'https://a.example/a\r\nhttps://a.example/b\n', [A, B]],
    ['with old line ends', 'https://a.example/a\rhttps://a.example/b', [A, B]],
    [
      'with comments and blanks',
      '# mine\n\n  https://a.example/a \t\n \n #https://a.example/c\nhttps://a.example/b#x',
      [A, { ...B, url: `${B.url}#x` }],
    ],
    ['with relative URLs', '/a\n./b\n', [A, B]],
    ['with a mark', '\uFEFFhttps://a.example/a', [A]],
    ['without lines', '', []],
  ])('%s is read, in chunks of any size', async (_, list, entries) => {
    for (const size of [1, 7, Infinity])
      expect(await readSitemap(inChunks(list, size), text)).toEqual({ entries, warnings: [], error: undefined });
    expect((await readSitemap(gzip(list), text)).entries).toEqual(entries);
    if (!list.startsWith('\uFEFF'))
      for (const order of ['le', 'be'] as const) expect((await readSitemap(utf16(list, order), text)).entries).toEqual(entries);
  });

  it('skips what is no URL, and what is too long', async () => {
    const list = `not a page\nhttps://a.example/a\nmailto:x@y.example\n/${'x'.repeat(200_000)}\n/b\n/${'y'.repeat(200_000)}`;
    const { entries, warnings } = await readSitemap(inChunks(list, 10_000), { ...text, limits: { urlLength: 5000 } });
    expect(entries).toEqual([A, B]);
    expect(warnings).toEqual(['an entry is no http(s) URL: "not a page"', 'an entry has more than 5000 characters']);
  });

  it('of a data: URL has absolute URLs only', async () => {
    const { entries, warnings } = await readSitemap('https://a.example/a\n/b', { ...text, url: 'data:text/plain,x' });
    expect(entries).toEqual([A]);
    expect(warnings).toEqual(['an entry is no http(s) URL: "/b"']);
  });

  it.each([
    ['<!DOCTYPE html><p>Not found', 'it is an HTML page, not a list of URLs'],
    ['\n<HTML lang="en">', 'it is an HTML page, not a list of URLs'],
    ['<urlset/>', 'it is XML or HTML, not a list of URLs: it begins with "<urlset/>"'],
  ])('%s is none', async (list, reason) => {
    expect((await readSitemap(list, text)).error).toEqual(new SitemapError(reason));
  });
});

describe('the format "auto"', () => {
  it.each([
    ['https://a.example/sitemap.xml', 'text/plain'],
    ['https://a.example/sitemap.xml.gz', 'application/gzip'],
    ['https://a.example/sitemap', 'application/xml; charset=utf-8'],
    ['https://a.example/sitemap', 'application/atom+xml'],
    ['https://a.example/sitemap.php', 'text/html'],
    ['https://a.example/sitemap', undefined],
  ])('reads XML of %s, of Content-Type %s', async (url, contentType) => {
    for (const body of [TWO, gzip(TWO)]) expect((await readSitemap(body, { url, contentType })).entries).toEqual([A, B]);
  });

  it.each(['https://a.example/list.txt?x', 'https://a.example/list'])('refuses a list at %s, and says how it is read', async (url) => {
    const { error } = await readSitemap('https://a.example/a\n', { url, contentType: 'text/plain' });
    const reason = 'it is no XML: it begins with "https://a.example/a\\n" of Content-Type "text/plain"';
    expect(error).toEqual(new SitemapError(`${reason}: a plain-text list must be declared with the format "text"`));
  });
});

describe('what is no sitemap is an error that names what came', () => {
  it.each([
    ['an HTML page', '<!DOCTYPE html><html><title>Not found</title>', 'it is an HTML page, not a sitemap'],
    [
      'an XHTML page',
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html/>',
      'it is an HTML page, not a sitemap',
    ],
    ['HTML without a DOCTYPE', '\n<html><body>', 'it is an HTML page, not a sitemap'],
    ['a feed', '<rss version="2.0"><channel/></rss>', 'it is XML or HTML whose root element is <rss>, not a sitemap'],
    ['JSON', '{"error":404}', 'it is no XML: it begins with "{\\"error\\":404}"'],
    ['an image', Buffer.from('\x89PNG\r\n\x1A\n\0', 'latin1'), 'it is no XML: it begins with "\uFFFDPNG\\r\\n\\u001a\\n\\u0000"'],
    ['nothing', '', 'it is empty'],
    ['blanks', ' \n ', 'it is empty'],
    ['a comment', '<!-- -->', 'it has no element <urlset> or <sitemapindex>'],
    ['a half tag', '<urlset', 'it has no element <urlset> or <sitemapindex>'],
  ])('%s', async (_, body, reason) => {
    expect(await readSitemap(body)).toEqual({ entries: [], warnings: [], error: new SitemapError(reason) });
    expect((await readSitemap(body, { format: 'xml' })).error).toEqual(new SitemapError(reason));
  });

  it('a file that was cut, after its entries', async () => {
    const { entries, error } = await readSitemap(TWO.slice(0, -20));
    expect(entries).toEqual([A]);
    expect(error).toEqual(new SitemapError('it is incomplete: it ends within an element'));
  });

  it('a cut or damaged gzip file', async () => {
    const bytes = gzip(TWO);
    expect((await readSitemap(bytes.subarray(0, -20))).error).toEqual(new SitemapError('its gzip data is damaged: unexpected end of file'));
    expect((await readSitemap(Buffer.from('\x1f\x8bxxxxxxxxxxxxxxxxxxxx', 'latin1'))).error).toEqual(
      new SitemapError('its gzip data is damaged: unknown compression method'),
    );
  });
});

it('an error of the body is passed on', async () => {
  const failure = new Error('connection reset');
  async function* body(first: Buffer): AsyncGenerator<Buffer> {
    yield first;
    throw failure;
  }
  expect((await readSitemap(body(Buffer.from(TWO)))).error).toBe(failure);
  expect((await readSitemap(body(gzip(TWO).subarray(0, 30)))).error).toBe(failure);
});

it.each([false, true])('a reader that stops ends the body, and nothing is read ahead without need (gzip: %s)', async (isGzip) => {
  let [chunks, isEnded] = [0, false];
  const content = Buffer.from(
    urlset(Array.from({ length: 100_000 }, (_, index) => `<url><loc>/${(index * 7919) % 100_003}</loc></url>`).join('')),
  );
  async function* body(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of inChunks(isGzip ? gzip(content) : content, 10_000)) {
        chunks += 1;
        yield chunk;
      }
    } finally {
      isEnded = true;
    }
  }
  for await (const { url } of parseSitemap(body(), { url: 'https://a.example/', contentType: undefined, format: 'xml' })) {
    expect(url).toBe('https://a.example/0');
    break;
  }
  await until(() => isEnded);
  expect(chunks).toBeLessThan(20);
});
