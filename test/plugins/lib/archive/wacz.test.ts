import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { CDXIndexer } from 'warcio';
import { describe, expect, it } from 'vitest';
import { openWacz } from '../../../../plugins/output/wacz/src/write-wacz.js';
import { fakeSite, fakeWalk } from '../../output/wacz/fake-walk.js';
import { cdxj, OK_HTML, opened, packed, record, SITE, zip } from './archive-files.js';

const home = record({ body: 'home' });
const posting = record({
  ...{ url: `${SITE}api`, type: 'request', body: 'a=ä b&c=1' },
  http: 'POST /api HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded',
});
const posted = record({ url: `${SITE}api`, body: 'posted' });
const accented = record({ url: `${SITE}Caf%C3%A9?Q=%C3%84`, body: 'café' });
const WARC = packed(home, posted, posting, accented);
const ask = { method: 'POST', body: Buffer.from('a=ä b&c=1'), contentType: 'application/x-www-form-urlencoded' };

/** The index that warcio, and so js-wacz and wabac, make of a WARC. */
async function indexOf(warc: Buffer): Promise<string> {
  const chunks = async function* () {
    yield await Promise.resolve(new Uint8Array(warc));
  };
  const lines: string[] = [];
  for await (const { urlkey, timestamp, ...fields } of new CDXIndexer({}).iterIndex([{ filename: 'data.warc.gz', reader: chunks() }]))
    lines.push(`${urlkey} ${timestamp} ${JSON.stringify(fields)}\n`);
  return lines.sort().join('');
}

/** ZipNum: blocks of lines, each a gzip member. */
function inBlocks(index: string): Record<string, string | Buffer> {
  const blocks = (index.match(/.*\n/g) ?? []).map((line) => gzipSync(line));
  return {
    'indexes/index.cdx.gz': Buffer.concat(blocks),
    'indexes/index.idx': '!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}\n',
  };
}

const pages = {
  'pages/pages.jsonl': '{"format":"json-pages-1.0","id":"pages","title":"Pages"}\n',
  'datapackage.json': '{"profile":"data-package"}',
};

describe('a WACZ file', () => {
  it.each<readonly [string, () => Promise<Readonly<Record<string, string | Buffer>>>]>([
    ['with a plain index', async () => ({ 'archive/data.warc.gz': WARC, 'indexes/index.cdx': await indexOf(WARC), ...pages })],
    ['with an index in blocks', async () => ({ 'archive/data.warc.gz': WARC, ...inBlocks(await indexOf(WARC)), ...pages })],
    [
      'with an index that is not sorted',
      async () => ({ 'archive/data.warc.gz': WARC, 'indexes/index.cdxj': (await indexOf(WARC)).split('\n').reverse().join('\n') }),
    ],
    [
      'with paths in its index',
      async () => ({
        'archive/data.warc.gz': WARC,
        'indexes/index.cdx': (await indexOf(WARC)).replaceAll('"data.warc', '"archive/data.warc'),
      }),
    ],
    ['without an index', () => Promise.resolve({ 'archive/data.warc.gz': WARC })],
    ['with an empty index', () => Promise.resolve({ 'archive/data.warc.gz': WARC, 'indexes/index.cdx': '' })],
    [
      'with a compressed WARC',
      async () => {
        const plain = Buffer.concat([home, posted, posting, accented]);
        return { 'archive/data.warc': plain, 'indexes/index.cdx': (await indexOf(plain)).replaceAll('data.warc.gz', 'data.warc') };
      },
    ],
    [
      'with several WARCs and indexes',
      async () => {
        const [one, other] = [packed(home, accented), packed(posted, posting)];
        return {
          ...{ 'archive/data.warc.gz': one, 'archive/rec-1.warc.gz': other, 'indexes/a.cdx': await indexOf(one) },
          'indexes/b.cdx': (await indexOf(other)).replaceAll('data.warc.gz', 'rec-1.warc.gz'),
        };
      },
    ],
  ])('%s is read', async (_, files) => {
    await using archive = await opened(await zip(await files()));
    expect(archive.archive.kind).toBe('wacz');
    expect(await archive.text(SITE)).toBe('home');
    expect(await archive.text(`${SITE}Café?Q=Ä`, { match: 'exact' })).toBe('café');
    expect(await archive.text(`${SITE}api`, { ...ask, match: 'exact' })).toBe('posted');
    expect(await archive.find(`${SITE}api`)).toBeUndefined();
  });

  it.each<readonly [string, string, Readonly<Record<string, unknown>>]>([
    ['pywb, with the query in the URL', `${SITE}api?__wb_method=POST&a=%C3%A4%20b&c=1`, {}],
    ['with method and body', `${SITE}api`, { method: 'POST', requestBody: 'a=ä b&c=1' }],
  ])('has the posted data as %s writes it', async (_, url, fields) => {
    const [offset, length] = [packed(home).length, packed(posted).length];
    const index = cdxj(SITE, { offset: 0, length: '100' }) + cdxj(url, { ...fields, offset: String(offset), length });
    await using archive = await opened(await zip({ 'archive/data.warc.gz': WARC, 'indexes/index.cdx': index }));
    expect(await archive.text(`${SITE}api`, { ...ask, match: 'exact' })).toBe('posted');
    expect(await archive.text(SITE)).toBe('home');
  });

  it('that Platen has written is read', async () => {
    await using archive = await opened(await buffer(openWacz(fakeWalk(fakeSite()))));
    expect((await archive.find('http://site.test/', { match: 'exact' }))?.response).toMatchObject({ status: 302 });
    expect(await archive.text('http://site.test/home')).toContain('<p>welcome</p>');
    const form = { method: 'POST', contentType: 'application/x-www-form-urlencoded', body: Buffer.from('question=1&other=%C3%A4') };
    expect(await archive.text('http://site.test/form', { ...form, match: 'exact' })).toBe('{"ok":true}');
  });
});

describe('an index that lies', () => {
  const lying = async (fields: Readonly<Record<string, unknown>>) =>
    zip({ 'archive/data.warc.gz': WARC, 'indexes/index.cdx': cdxj(SITE, { offset: 0, length: 10, ...fields }) });

  it.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['to the middle of a record', { offset: 7 }, 'there is no WARC record'],
    ['to another record', { offset: packed(home).length }, 'its index points to another record'],
    ['beyond the end', { offset: 1e9 }, 'its index points beyond the end of the file'],
    ['to a negative offset', { offset: -5 }, 'its index points beyond the end of the file'],
    ['to nowhere', { offset: undefined }, 'its index points beyond the end of the file'],
    ['to a file that is not there', { filename: 'other.warc.gz' }, 'its index names the file "other.warc.gz", which is not there'],
  ])('%s ends in an error that names the record', async (_, fields, reason) => {
    await using archive = await opened(await lying(fields));
    await expect(archive.find(SITE)).rejects.toMatchObject({
      name: 'ArchiveDamaged',
      message: expect.stringMatching(new RegExp(`^the record of ${SITE} at byte .* is damaged: ${reason}$`)) as unknown,
    });
  });

  it('only about lengths is read all the same', async () => {
    await using archive = await opened(await lying({ length: 99_999_999 }));
    expect(await archive.text(SITE)).toBe('home');
  });

  it.each([
    // The two line breaks after the block are in its member.
    [OK_HTML.length + '\r\n\r\nhome'.length + 5, '1 byte'],
    [9_000, '8948 bytes'],
    [900_000_000_000, '899999999948 bytes'],
  ])('a record that states a length of %i, more than it has, is an error', async (contentLength, missing) => {
    await using archive = await opened(
      await zip({
        'archive/data.warc.gz': packed(record({ body: 'home', contentLength })),
        'indexes/index.cdx': cdxj(SITE, { offset: 0 }),
      }),
    );
    await expect(archive.text(SITE)).rejects.toThrow(`is damaged: it ends ${missing} too early`);
  });
});
