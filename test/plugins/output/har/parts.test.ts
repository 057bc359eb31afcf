import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { postedParams, sentCookies, setCookies } from '../../../../plugins/output/har/src/har-message.js';
import { inBlocks, jsonArray, jsonBase64, jsonObject, jsonText } from '../../../../plugins/output/har/src/json-stream.js';

async function read(pieces: AsyncIterable<string>): Promise<unknown> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text);
}

/** Bytes in chunks of so many. */
function inChunks(bytes: Buffer, size: number): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  return Readable.from(chunks, { objectMode: false });
}

describe('JSON in pieces', () => {
  const text = '\ufeff"quoted" \\ \u2028 🐻 Zürich\n\0';

  it.each([1, 2, 3, 5, 100])('is the same whatever the chunks are: %i bytes', async (size) => {
    expect(await read(jsonText(inChunks(Buffer.from(text), size)))).toBe(text);
    const bytes = Buffer.from([0, 255, 1, 254, 2, 253, 3]);
    expect(await read(jsonBase64(inChunks(bytes, size)))).toBe(bytes.toString('base64'));
  });

  it('a last character that was cut is left out', async () => {
    expect(await read(jsonText(inChunks(Buffer.from('a🐻').subarray(0, 3), 2)))).toBe('a');
  });

  it('objects and arrays nest, and may be empty', async () => {
    const items = async function* () {
      await Promise.resolve();
      yield ['{"n":1}'];
      yield jsonObject({ n: 2 }, { inner: jsonObject({}, {}), absent: undefined });
    };
    const none = async function* () {
      await Promise.resolve();
      yield* [];
    };
    const whole = jsonObject({}, { items: jsonArray(items()), none: jsonArray(none()) });
    expect(await read(inBlocks(whole))).toEqual({ items: [{ n: 1 }, { n: 2, inner: {} }], none: [] });
  });
});

describe('cookies', () => {
  it('of requests are pairs, also without a value', () => {
    expect(sentCookies([{ name: 'cookie', value: 'a=1; b="x=y"; bare' }])).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '"x=y"' },
      { name: 'bare', value: '' },
    ]);
  });

  it('of answers come with their attributes; a date that is none is left out', () => {
    const line = (value: string) => setCookies([{ name: 'Set-Cookie', value }]);
    expect(line('a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Domain=.a.test; path=/x; Secure')).toEqual([
      { name: 'a', value: '1', expires: '2026-10-21T07:28:00.000Z', domain: '.a.test', path: '/x', secure: true, httpOnly: false },
    ]);
    expect(line('a=1; Expires=soon')).toEqual([{ name: 'a', value: '1', secure: false, httpOnly: false }]);
  });
});

describe('posted forms', () => {
  const multipart = (body: string) => postedParams('multipart/form-data; boundary="b 1"', Buffer.from(body));

  it('of several parts: fields keep their line breaks, files are named', () => {
    const body =
      '--b 1\r\nContent-Disposition: form-data; name="a"\r\n\r\none\r\ntwo\r\n--b 1\r\nContent-Disposition: form-data; name="f"; filename="x.bin"\r\nContent-Type: image/png\r\n\r\n\x00\r\n--b 1--\r\n';
    expect(multipart(body)).toEqual([
      { name: 'a', value: 'one\r\ntwo' },
      { name: 'f', fileName: 'x.bin', contentType: 'image/png' },
    ]);
  });

  it('name fields and files as who posted them does: quotes and line breaks are escaped on the wire alone', async () => {
    const form = new FormData();
    form.append('a "field"\r\nof 100%2', 'one');
    form.append('file', new File(['x'], 'a "quoted" 50%25.txt', { type: 'text/plain' }));
    const posted = new Response(form);
    const params = postedParams(posted.headers.get('content-type') ?? '', Buffer.from(await posted.arrayBuffer()));
    expect(params).toEqual([
      { name: 'a "field"\r\nof 100%2', value: 'one' },
      { name: 'file', fileName: 'a "quoted" 50%25.txt', contentType: 'text/plain' },
    ]);
  });

  it('that are broken have the fields that can be read', () => {
    expect(multipart('--b 1\r\nno header')).toEqual([]);
    expect(multipart('')).toEqual([]);
  });

  it('are nothing but forms', () => {
    expect(postedParams('application/json', Buffer.from('{"a":"b=c"}'))).toBeUndefined();
  });
});
