import { createGzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseSitemap } from '../../../../plugins/walk/sitemap/src/parse-sitemap.js';
import { SitemapError } from '../../../../plugins/walk/sitemap/src/limits.js';
import { gzip, inChunks, readSitemap, urlset } from './read-sitemap.js';

setFlagsFromString('--expose-gc');
// A new context has the function that the flag adds.
const collectGarbage = runInNewContext('gc') as () => void;
const MIB = 2 ** 20;

describe('a bomb ends quickly:', () => {
  const doctype = (subset: string) => `<?xml version="1.0"?><!DOCTYPE urlset ${subset}>${urlset('<url><loc>&x;</loc></url>').slice(21)}`;
  const refused = 'it has a DOCTYPE, which may declare entities: it is refused';
  it.each([
    ['an external entity', doctype('[<!ENTITY x SYSTEM "file:///etc/passwd">]'), refused],
    ['an external DTD', doctype('SYSTEM "http://127.0.0.1/x.dtd"'), refused],
    ['a parameter entity', doctype('[<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]'), refused],
    ['a billion laughs', doctype('[<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY x "&b;&b;&b;">]'), refused],
    ['deep elements', `<urlset>${'<url>'.repeat(1_000_000)}`, 'its elements are nested more than 32 deep'],
  ])('%s', async (_, xml, reason) => {
    expect(await readSitemap(xml)).toEqual({ entries: [], warnings: [], error: new SitemapError(reason) });
  });

  it.each([
    ['doctype', '<!DOCTYPE urlset [', '<!ENTITY a "b">'],
    ['comment', '<!--', 'x'],
    ['tagName', '<urlset><', 'x'],
    ['attribName', '<urlset ', 'x'],
    ['attribValue', '<urlset a="', 'x'],
  ])('an endless %s', async (buffer, start, more) => {
    const { error } = await readSitemap(endless(start, more));
    expect(error).toBeInstanceOf(SitemapError);
    expect(String(error)).toMatch(`SitemapError: its XML is damaged: Max buffer length exceeded: ${buffer}`);
  });

  it.each([
    ['blanks before', '', ' '],
    ['text', '<urlset>', 'text '],
    ['CDATA', '<urlset><![CDATA[', 'text '],
    ['a URL', '<urlset><url><loc>', 'x'],
    ['attributes', '<urlset ', Array.from({ length: 1000 }, (_, index) => `a${index}="value" `).join('')],
    ['a script', '<urlset><script>', 'text '],
    ['text after the root', '<urlset/>', 'text '],
  ])('endless %s', async (_, start, more) => {
    const limits = { inflatedBytes: 8 * MIB };
    expect((await readSitemap(endless(start, more), { limits })).error).toEqual(new SitemapError('it exceeds 8 MiB'));
  });

  it('gzip data that inflates too far', async () => {
    const bomb = gzip(`<urlset>${' '.repeat(64 * MIB)}</urlset>`);
    const reason = 'its gzip data inflates to more than 200 times its size';
    const before = performance.now();
    for (const format of ['auto', 'text'] as const) {
      const body = format === 'text' ? gzip('#'.repeat(64 * MIB)) : bomb;
      expect((await readSitemap(inChunks(body, 1000), { format })).error).toEqual(new SitemapError(reason));
    }
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it('gzip data beyond its size', async () => {
    const bytes = gzip(urlset('<url><loc>/a</loc></url>', `<!--${Array.from({ length: 10_000 }, (_, index) => index).join()}-->`));
    const limits = { compressedBytes: MIB / 128 };
    expect((await readSitemap(inChunks(bytes, 1000), { limits })).error).toEqual(new SitemapError('its gzip data exceeds 0.0078125 MiB'));
  });
});

async function* endless(start: string, more: string): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  const block = Buffer.from(more.repeat(Math.ceil(10_000 / more.length)));
  for (;;) yield block;
}

describe('a million URLs are read at flat memory', () => {
  const COUNT = 1_000_000;
  function* lines(write: (index: number) => string, [start, end]: readonly [string, string]): Generator<string> {
    yield start;
    for (let at = 0; at < COUNT; at += 500) yield Array.from({ length: 500 }, (_, index) => write(at + index)).join('');
    yield end;
  }
  const path = (index: number) => `/p/${index}-${((index * 2654435761) % 2 ** 32).toString(36)}`;

  it.each([
    ['xml', (index: number) => `<url><loc>${path(index)}</loc></url>`, ['<urlset>', '</urlset>']],
    ['text', (index: number) => `${path(index)}\n`, ['', '']],
  ] as const)('%s', async (format, write, ends) => {
    // What is encoded as UTF-8 by the stream.
    const body: AsyncIterable<Buffer> = Readable.from(lines(write, ends)).pipe(createGzip({ level: 1 }));
    let [count, base, peak] = [0, 0, 0];
    for await (const { url } of parseSitemap(body, { url: 'https://a.example/', contentType: undefined, format })) {
      if (count % 100_000 === 0) {
        expect(url).toBe(`https://a.example${path(count)}`);
        collectGarbage();
        const { heapUsed, external } = process.memoryUsage();
        // What tests before this one have left is gone by then.
        if (count === 100_000) base = heapUsed + external;
        if (count >= 100_000) peak = Math.max(peak, heapUsed + external);
      }
      count += 1;
    }
    expect(count).toBe(COUNT);
    expect((peak - base) / MIB).toBeLessThan(8);
  });
});
