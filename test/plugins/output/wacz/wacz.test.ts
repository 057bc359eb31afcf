import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { KERNEL_VERSION } from '@platen/kernel';
import type { CdxIndex } from '@platen/lib-warc';
import { addIndex, openWacz } from '../../../../plugins/output/wacz/src/write-wacz.js';
import { streamZip } from '../../../../plugins/output/wacz/src/zip-stream.js';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { listMembers, openStored, parseCdx, parseRecord, readMember } from '../../../helpers/wacz-file.js';
import { after, fakeSite, fakeWalk, START } from './fake-walk.js';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const write = async (walk = fakeWalk(fakeSite())) => openCheckedFile(await buffer(openWacz(walk)), 'wacz');
const jsonLines = (text: Buffer): readonly Record<string, unknown>[] =>
  text
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const jsonOf = async (path: string, name: string) => JSON.parse((await readMember(path, name)).toString()) as Record<string, unknown>;

describe('a WACZ file', () => {
  it('is a ZIP file in which only the WARC is stored as it is', async () => {
    await using file = await write();
    expect((await runChecker('unzip', ['-tq', file.path])).toString()).toContain('No errors detected');
    expect((await listMembers(file.path)).map(({ name, method }) => [name, method])).toEqual([
      ['archive/data.warc.gz', 0],
      ['indexes/index.cdx', 8],
      ['pages/pages.jsonl', 8],
      ['pages/extraPages.jsonl', 8],
      ['datapackage.json', 8],
      ['datapackage-digest.json', 8],
    ]);
  });

  it('has a manifest with the sizes and digests of all else, and a digest of the manifest', async () => {
    await using file = await write();
    const members = (await listMembers(file.path)).filter(({ name }) => !name.startsWith('datapackage'));
    const { created, ...manifest } = await jsonOf(file.path, 'datapackage.json');
    expect(Math.abs(Date.now() - Date.parse(String(created)))).toBeLessThan(60_000);
    expect(manifest).toEqual({
      ...{ profile: 'data-package', wacz_version: '1.1.1', title: 'Home', software: `Platen ${KERNEL_VERSION}` },
      ...{ mainPageUrl: 'http://site.test/', mainPageDate: after(1000).toISOString() },
      resources: members.map(({ name, bytes, sha256: hash }) => ({
        ...{ name: name.replace(/.*\//, '').toLowerCase(), path: name },
        ...{ hash: `sha256:${hash}`, bytes },
      })),
    });
    expect(await jsonOf(file.path, 'datapackage-digest.json')).toEqual({
      path: 'datapackage.json',
      hash: `sha256:${sha256(await readMember(file.path, 'datapackage.json'))}`,
    });
  });

  it('has an index of which every line opens its record in the stored WARC', async () => {
    await using file = await write();
    const [warc] = await listMembers(file.path);
    if (!warc) throw new Error('the archive is empty');
    await using stored = await openStored(file.path, warc);
    const text = (await readMember(file.path, 'indexes/index.cdx')).toString();
    const lines = parseCdx(text);
    expect(lines.map(({ fields }) => fields.url).sort()).toEqual([
      ...['/', '/form', '/home', '/picture.png', '/robots.txt', '/second?a=1', '/slow'].map((path) => `http://site.test${path}`),
      ...['/', '/second?a=1', '/silent', '/slow'].map((path) => `urn:pageinfo:http://site.test${path}`),
    ]);
    expect(text.split('\n').slice(0, -1)).toEqual(text.split('\n').slice(0, -1).sort());
    for (const { timestamp, fields } of lines) {
      const { headers } = parseRecord(await stored.read(Number(fields.offset), Number(fields.length)));
      expect(fields.filename).toBe('data.warc.gz');
      expect(headers.get('warc-type')).toBe(fields.url.startsWith('urn:') ? 'resource' : 'response');
      expect(headers.get('warc-target-uri')).toBe(fields.url);
      expect(headers.get('warc-date')?.replace(/\D/g, '').slice(0, 14)).toBe(timestamp);
    }
  });

  it('lists seeds and other pages apart, by the id and the date of their records', async () => {
    await using file = await write();
    const [header, ...seeds] = jsonLines(await readMember(file.path, 'pages/pages.jsonl'));
    const [otherHeader, ...others] = jsonLines(await readMember(file.path, 'pages/extraPages.jsonl'));
    expect(header).toMatchObject({ format: 'json-pages-1.0', id: 'pages' });
    expect(otherHeader).toMatchObject({ format: 'json-pages-1.0' });
    const [id, mime] = [expect.any(String) as unknown, 'text/html'];
    expect(seeds).toEqual([
      { id, url: 'http://site.test/', ts: after(1000).toISOString(), title: 'Home', mime, status: 200, depth: 0, seed: true, loadState: 2 },
    ]);
    expect(others).toEqual([
      {
        ...{ id, url: 'http://site.test/second?a=1', ts: after(5000).toISOString(), title: 'Second "page"', mime },
        ...{ status: 404, depth: 1, loadState: 0 },
      },
      { id, url: 'http://site.test/slow', ts: after(6000).toISOString(), mime, status: 200, depth: 1, loadState: 1 },
    ]);
    expect(await pagesOfRecords(file.path)).toMatchObject({
      ...{ '/': seeds[0]?.id, '/home': seeds[0]?.id, '/picture.png': seeds[0]?.id, '/form': seeds[0]?.id },
      ...{ '/second?a=1': others[0]?.id, '/slow': others[1]?.id },
    });
  });

  it('tells the walk how much the WARC takes', async () => {
    const walk = fakeWalk(fakeSite());
    await using file = await write(walk);
    expect((await listMembers(file.path))[0]?.bytes).toBe(walk.written);
  });

  it('of a walk without a page is whole, too', async () => {
    await using file = await write(fakeWalk([]));
    expect((await listMembers(file.path)).map(({ name }) => name)).not.toContain('pages/extraPages.jsonl');
    expect(await jsonOf(file.path, 'datapackage.json')).toMatchObject({ title: 'http://site.test/', mainPageUrl: 'http://site.test/' });
  });
});

/** `WARC-Page-ID` by path of the URL. */
async function pagesOfRecords(path: string): Promise<Record<string, unknown>> {
  const warc = await readMember(path, 'archive/data.warc.gz');
  const lines = parseCdx((await readMember(path, 'indexes/index.cdx')).toString());
  return Object.fromEntries(
    lines.map(({ fields: { url, offset, length } }) => {
      const record = parseRecord(warc.subarray(Number(offset), Number(offset) + Number(length)));
      return [url.replace('http://site.test', ''), record.headers.get('warc-page-id')];
    }),
  );
}

it('a large index is packed in blocks that are found by their first key', async () => {
  const count = 60_000;
  const line = (at: number) => `test,site)/${String(at).padStart(6, '0')} 20261105102030 {"url":"http://site.test/${String(at)}"}`;
  const index: CdxIndex = {
    count,
    add: () => undefined,
    flushed: () => Promise.resolve(),
    async *lines() {
      for (let at = 0; at < count; at += 1) yield await Promise.resolve(line(at));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const zip = streamZip(async (writer) => {
    await addIndex(writer, index);
  });
  await using file = await openCheckedFile(await buffer(zip), 'zip');
  expect((await listMembers(file.path)).map(({ name, method }) => [name, method])).toEqual([
    ['indexes/index.cdx.gz', 0],
    ['indexes/index.idx', 8],
  ]);
  const packed = await readMember(file.path, 'indexes/index.cdx.gz');
  const [meta = '', ...keys] = (await readMember(file.path, 'indexes/index.idx')).toString().trimEnd().split('\n');
  expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}');
  expect(keys).toHaveLength(Math.ceil(count / 256));
  const blocks = keys.map((key) => {
    const [prefix = '', fields = ''] = key.split(/ (?=\{)/);
    const { offset, length, digest } = JSON.parse(fields) as { offset: number; length: number; digest: string };
    const bytes = packed.subarray(offset, offset + length);
    expect(digest).toBe(`sha256:${sha256(bytes)}`);
    const text = gunzipSync(bytes).toString();
    expect(text.startsWith(`${prefix} {`)).toBe(true);
    return text;
  });
  expect(blocks.join('')).toBe(Array.from({ length: count }, (_, at) => `${line(at)}\n`).join(''));
});

it('a page whose records have other URLs has the date of its start', async () => {
  const [, home] = fakeSite();
  if (!home) throw new Error('no page');
  await using file = await write(fakeWalk([{ ...home, url: 'http://elsewhere.test/' }]));
  expect(jsonLines(await readMember(file.path, 'pages/pages.jsonl'))[1]).toMatchObject({ ts: START.toISOString() });
});
