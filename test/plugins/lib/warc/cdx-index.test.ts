import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCdxIndex, type CdxEntry } from '../../../../plugins/lib/warc/src/cdx-index.js';
import { lookupKey } from '../../../../plugins/lib/warc/src/lookup-key.js';
import { archiveOf, bodyOf, parseLine, type Sketch, warcioLines } from './archive-fixture.js';

const post = (contentType: string, body: string | Buffer, more: Partial<Sketch> = {}): Sketch => ({
  ...more,
  request: { method: 'POST', headers: [{ name: 'Content-Type', value: contentType }], body: bodyOf(body), ...more.request },
});
const form = 'application/x-www-form-urlencoded';
const parts = (boundary: string, fields: Readonly<Record<string, string>>) =>
  `${Object.entries(fields)
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--${boundary}--\r\n`;
const upload = `--XX\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: image/png\r\n\r\n${'\0\xff'.repeat(50_000)}\r\n`;
const many = Object.fromEntries(
  Array.from({ length: 5000 }, (_, index) => [`key${String(index)}`, [index, null, '', { a: true, b: 'é' }]]),
);

/** Requests whose keys warcio's indexer computes from the written file. */
const REQUESTS: readonly (readonly [string, Sketch])[] = [
  ['GET', { url: 'https://www.example.com/Path/?b=2&a=1&A=0#fragment' }],
  ['GET with a port and letters beyond ASCII', { url: 'http://bücher.example:8080/ü?q=%C3%BC' }],
  ['GET of an address', { url: 'http://127.0.0.1:3000/a b' }],
  ['a form', post(form, 'b=2&a=1&q=%20x+y')],
  ['a form with a query', post(`${form}; charset=utf-8`, 'a=ü', { url: 'https://example.com/?x=1' })],
  ['a form of 100 kB', post(form, `a=${'x'.repeat(100_000)}`)],
  ['JSON', post('application/json', '{"a":1,"b":{"a":[1,2,"x"]},"n":null,"e":"","t":false}')],
  ['JSON with a charset', post('application/json;charset=UTF-8', '["a","b"]')],
  ['JSON of 300 kB', post('application/json', JSON.stringify(many))],
  ['JSON that is a long list', post('application/json', JSON.stringify(Array.from({ length: 4000 }, (_, index) => index)))],
  ['JSON that is cut off', post('application/json', JSON.stringify(many).slice(0, 20_000))],
  ['plain text that is JSON', post('text/plain;charset=UTF-8', '{"a":"b"}')],
  ['plain text that is not JSON', post('text/plain', 'hello world')],
  ['long plain text', post('text/plain', 'word '.repeat(10_000))],
  ['multipart', post('multipart/form-data; boundary=----WebKitFormBoundaryA1', parts('----WebKitFormBoundaryA1', { a: '1', b: 'x y' }))],
  ['multipart with a file', post('multipart/form-data; boundary=XX', upload + parts('XX', { after: '2' }))],
  ['binary', post('application/octet-stream', Buffer.from([0, 1, 254, 255]))],
  ['binary of 100 kB', post('application/x-protobuf', Buffer.alloc(100_000, 7))],
  ['no type', post('', 'abc')],
  ['no body', { request: { method: 'POST', body: undefined } }],
  ['PUT', post('application/json', '{"a":1}', { request: { method: 'PUT' } })],
  ['DELETE', post('application/json', '{"a":1}', { request: { method: 'DELETE' } })],
];

describe('an entry', () => {
  it.each(REQUESTS)('has the key of warcio: %s', async (_title, sketch) => {
    const { bytes, lines } = await archiveOf(sketch);
    const [theirs] = (await warcioLines(bytes)).map(parseLine);
    const [ours] = lines.map(parseLine);
    expect(ours?.key).toBe(theirs?.key);
    expect(ours?.time).toBe(theirs?.time);
    expect(ours?.fields).toEqual({ ...theirs?.fields, digest: `sha256:${theirs?.fields['digest'] ?? ''}` });
  });

  it.each([
    ['DELETE', 'https://example.com/a', [], 'com,example)/a?__wb_method=delete'],
    ['DELETE', 'https://example.com/a?x=1', [{ name: 'content-type', value: 'application/json' }], 'com,example)/a?__wb_method=delete&x=1'],
    ['HEAD', 'https://example.com/a', [], 'com,example)/a?__wb_method=head'],
  ])('of a %s without a body has the method alone: %s %j', async (method, url, own, key) => {
    expect(await lookupKey({ method, url, headers: own, body: undefined })).toEqual({ key, method });
  });

  it('leads to one record', async () => {
    const { bytes, lines } = await archiveOf(...REQUESTS.map(([, sketch], seconds) => ({ ...sketch, seconds })));
    expect(lines).toHaveLength(REQUESTS.length);
    expect([...lines].sort()).toEqual(lines);
    for (const { fields } of lines.map(parseLine)) {
      const { offset, length, url, mime } = fields;
      const text = gunzipSync(bytes.subarray(Number(offset), Number(offset) + Number(length))).toString('latin1');
      expect(text.split('WARC/1.1')).toHaveLength(2);
      expect(text).toContain(`WARC-Type: ${mime === 'warc/revisit' ? 'revisit' : 'response'}\r\n`);
      expect(Buffer.from(text, 'latin1').toString()).toContain(`WARC-Target-URI: ${url?.replaceAll(' ', '%20') ?? ''}\r\n`);
    }
  });

  it.each([
    ['a boundary that is a slow expression', '(a+)+$', `${'a'.repeat(50)}!`],
    ['a body of dashes', 'XX', '-'.repeat(1_000_000)],
    ['very many parts', 'XX', parts('XX', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${String(index)}`, 'v'])))],
  ])('has an empty query for %s', async (_title, boundary, body) => {
    const type = `multipart/form-data; boundary=${boundary}`;
    const request = { method: 'POST', url: 'https://example.com/', headers: [{ name: 'content-type', value: type }], body: bodyOf(body) };
    expect(await lookupKey(request)).toEqual({ key: 'com,example)/?&__wb_method=post', method: 'POST' });
  });

  it('is computed in an instant for a million values', async () => {
    const list = JSON.stringify(Array.from({ length: 1_000_000 }, (_, index) => index));
    const headers = [{ name: 'content-type', value: 'application/json' }];
    const { requestBody } = await lookupKey({ method: 'POST', url: 'https://example.com/', headers, body: bodyOf(list) });
    expect(requestBody).toHaveLength(4096);
  });
});

const entry = (index: number): CdxEntry => ({
  ...{
    key: `com,example)/${((index * 7919) % 100_003).toString(36)}`,
    date: new Date(1.7e12 + index * 1000),
    url: 'https://example.com/é',
  },
  ...{ mime: 'text/html', status: 200, digest: 'sha256:0', length: 1, offset: index, filename: 'a.warc.gz' },
});

describe('the index', () => {
  it('sorts 100,000 entries as sort does, in runs, and more than once', async () => {
    await using index = createCdxIndex({ runCharacters: 1_000_000 });
    for (let at = 0; at < 100_000; at += 1) index.add(entry(at));
    expect(index.count).toBe(100_000);
    const read = async () => {
      const lines: string[] = [];
      for await (const line of index.lines()) lines.push(line);
      return `${lines.join('\n')}\n`;
    };
    const text = await read();
    const sorted = execFileSync('sort', {
      input: text.split('\n').reverse().join('\n').trim(),
      env: { ...process.env, LC_ALL: 'C' },
      maxBuffer: 2 ** 28,
    });
    expect(text === sorted.toString()).toBe(true);
    expect(text.split('\n')).toHaveLength(100_001);
    expect((await read()) === text).toBe(true);
  });

  it('can be left before its end', async () => {
    await using index = createCdxIndex({ runCharacters: 1000 });
    for (let at = 0; at < 1000; at += 1) index.add(entry(at));
    for await (const line of index.lines()) {
      expect(line).toContain('com,example)/');
      break;
    }
  });

  it('is ASCII, and empty without entries', async () => {
    await using index = createCdxIndex();
    const read = async () => {
      const lines: string[] = [];
      for await (const line of index.lines()) lines.push(line);
      return lines;
    };
    expect(await read()).toEqual([]);
    index.add(entry(1));
    const [line = ''] = await read();
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(parseLine(line).fields['url']).toBe('https://example.com/é');
  });
});
