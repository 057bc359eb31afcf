import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { archive, archiveOf, bodyOf, exchangeOf, noBody, parseLine, type Sketch } from './archive-fixture.js';

const headers = (...lines: readonly (readonly [string, string])[]) => lines.map(([name, value]) => ({ name, value }));
const types = (records: readonly { readonly type: string }[]) => records.map(({ type }) => type);

/** The only response of an archive. */
async function stored(sketch: Sketch) {
  const { records } = await archiveOf(sketch);
  expect(types(records)).toEqual(['response', 'request']);
  const [response, request] = records;
  if (!response || !request) throw new Error('unreachable');
  return { response, request };
}

describe('a response record', () => {
  it('has the fields of WARC 1.1, and its request next to it', async () => {
    const { response, request } = await stored({ url: 'https://example.com/a?b#c' });
    expect(response.field('WARC-Target-URI')).toBe('https://example.com/a?b');
    expect(response.field('WARC-Date')).toBe('2026-01-02T12:00:00.345Z');
    expect(response.field('WARC-Record-ID')).toMatch(/^<urn:uuid:[\da-f-]{36}>$/);
    expect(response.field('Content-Type')).toBe('application/http; msgtype=response');
    expect(response.field('WARC-IP-Address')).toBe('192.0.2.1');
    expect(response.field('WARC-Protocol')).toBe('http/1.1');
    expect(response.field('WARC-Truncated')).toBeUndefined();
    expect(response.text).toBe('<p>hello');
    expect(request.field('WARC-Target-URI')).toBe('https://example.com/a?b');
    expect(request.field('WARC-Concurrent-To')).toBe(response.field('WARC-Record-ID'));
    expect(request.field('WARC-Date')).toBe(response.field('WARC-Date'));
    expect(request.firstLine).toBe('GET /a?b HTTP/1.1');
    expect(request.http('Host')).toBe('example.com');
  });

  it('has the page that it belongs to', async () => {
    const { records } = await archive((writer) => writer.exchange(exchangeOf({}), { id: 'page-1' }));
    expect(records.map((record) => record.field('WARC-Page-ID'))).toEqual(['page-1', 'page-1']);
  });

  it.each([
    ['a reason phrase of the server', { status: 404, statusText: 'Gone fishing' }, 'HTTP/1.1 404 Gone fishing'],
    ['the usual one where the protocol has none', { status: 503, statusText: '', protocol: 'h2' }, 'HTTP/1.1 503 Service Unavailable'],
    ['none that would end the line', { statusText: 'OK\r\nX-Evil: 1' }, 'HTTP/1.1 200 OK X-Evil: 1'],
  ])('has %s', async (_title, response, line) => {
    expect((await stored({ response })).response.firstLine).toBe(line);
  });

  it.each([
    [
      'drops pseudo-headers',
      [
        [':status', '200'],
        ['x-a', 'b'],
      ],
      { ':status': undefined, 'x-a': 'b' },
    ],
    [
      'retains each of several',
      [
        ['Set-Cookie', 'a=1'],
        ['X', 'y'],
        ['Set-Cookie', 'b=2'],
      ],
      { 'Set-Cookie': 'a=1,,,b=2', X: 'y' },
    ],
    ['does not split a value', [['X-Commas', 'a,,,b']], { 'X-Commas': 'a,,,b' }],
    [
      'retains letters beyond ASCII',
      [
        ['X-Latin', 'café'],
        ['X-More', '日本'],
      ],
      { 'X-Latin': 'café', 'X-More': '日本' },
    ],
    [
      'does not let a value end its line',
      [
        ['X-A', 'b\r\nX-Evil: 1'],
        ['X-C\r\nX-Evil', 'd'],
      ],
      { 'X-A': 'b X-Evil: 1', 'X-Evil': undefined },
    ],
    [
      'renames the codings that the body no longer has',
      [
        ['Content-Encoding', 'br'],
        ['transfer-encoding', 'chunked'],
        ['content-length', '5'],
        ['Content-Length', '6'],
      ],
      {
        ...{ 'Content-Encoding': undefined, 'x-orig-content-encoding': 'br', 'transfer-encoding': undefined },
        ...{ 'x-orig-transfer-encoding': 'chunked', 'content-length': '8', 'Content-Length': undefined },
      },
    ],
  ] as const)('%s', async (_title, lines, expected) => {
    const { response } = await stored({ response: { headers: headers(...lines) } });
    for (const [name, value] of Object.entries(expected)) expect(response.http(name), name).toBe(value);
  });

  it('writes several cookies as lines of their own', async () => {
    const lines = headers(['Set-Cookie', 'a=1'], ['X', 'y,,,z'], ['Set-Cookie', 'b=2']);
    const { bytes, records } = await archiveOf({ response: { headers: lines } });
    const text = gunzipSync(bytes.subarray(0, records[0]?.length)).toString();
    expect(text).toContain('\r\nSet-Cookie: a=1\r\nX: y,,,z\r\nSet-Cookie: b=2\r\nContent-Length: 8\r\n\r\n<p>hello');
  });

  it.each([
    ['of a HEAD request has the length that the server stated, of a body that it did not send', [['Content-Length', '1234']], '1234'],
    ['of a HEAD request states no length that the server did not', [], undefined],
  ] as const)('%s', async (_title, lines, expected) => {
    const { response } = await stored({ request: { method: 'HEAD' }, response: { headers: headers(...lines), body: noBody('none') } });
    expect([response.http('Content-Length'), response.text]).toEqual([expected, '']);
  });

  it('hashes a body whose digest is unknown', async () => {
    const { response } = await stored({ response: { body: bodyOf('x'.repeat(200_000), { sha256: undefined }) } });
    expect(response.field('WARC-Payload-Digest')).toMatch(/^sha256:[\da-f]{64}$/);
    expect(response.text).toHaveLength(200_000);
  });

  it('fails if a body has another length than it states', async () => {
    const short = { ...bodyOf('abc'), bytes: 4 };
    await expect(archiveOf({ response: { body: short } })).rejects.toThrow('a body has 3 bytes instead of 4');
  });
});

describe('a request record', () => {
  it('has the Host of :authority, and posted data', async () => {
    const { request } = await stored({
      request: {
        ...{ method: 'POST', body: bodyOf('a=1&b=2') },
        headers: headers([':authority', 'other.example'], [':method', 'POST'], ['content-type', 'application/x-www-form-urlencoded']),
      },
    });
    expect(request.firstLine).toBe('POST / HTTP/1.1');
    expect(request.http('Host')).toBe('other.example');
    expect(request.http('Content-Length')).toBe('7');
    expect(request.text).toBe('a=1&b=2');
  });

  it('retains its own Host, and has no length that is wrong', async () => {
    const own = headers(['host', 'own.example'], ['Content-Length', '9']);
    const { request } = await stored({ request: { method: 'PUT', headers: own, body: noBody('missing') } });
    expect(request.http('host')).toBe('own.example');
    expect(request.http('Host')).toBeUndefined();
    expect(request.http('Content-Length')).toBe('0');
  });

  it('says that posted data is truncated', async () => {
    const { request, response } = await stored({ request: { method: 'POST', body: bodyOf('ab', { state: 'truncated' }) } });
    expect(request.field('WARC-Truncated')).toBe('length');
    expect(response.field('WARC-Truncated')).toBeUndefined();
  });
});

const partial = (content = 'part') => bodyOf(content, { state: 'partial', sha256: undefined });
const failure = { netError: 'net::ERR_FAILED', canceled: false, unfinished: false };

describe('what is not stored', () => {
  it.each<readonly [string, Sketch]>([
    ['OPTIONS', { request: { method: 'OPTIONS' } }],
    ['a preflight', { resourceType: 'Preflight' }],
    ['a WebSocket', { resourceType: 'WebSocket', response: { status: 101 } }],
    ['a ping', { resourceType: 'Ping' }],
    ['a data URL', { url: 'data:text/plain,a' }],
    ['a blob', { url: 'blob:https://example.com/1' }],
    ['an extension', { url: 'chrome-extension://a/b.js' }],
    ['a missing body', { response: { body: noBody('missing') } }],
    ['a body that was not requested', { response: { body: noBody('not-requested') } }],
    ['a partial body without bytes, canceled', { response: { body: noBody('partial') }, failure: { ...failure, canceled: true } }],
    ['a partial body without bytes, without an error', { response: { body: noBody('partial') } }],
    ['a truncated body without bytes', { response: { body: noBody('truncated') } }],
    ['an EventSource without bytes', { resourceType: 'EventSource', response: { body: bodyOf('') } }],
    ['a 304 without a body', { response: { status: 304, body: noBody('none') } }],
    ['a 304 with an empty body', { response: { status: 304, body: bodyOf('') } }],
    ['a later range', { response: { status: 206, headers: headers(['Content-Range', 'bytes 2-7/8']) } }],
    ['the first part', { response: { status: 206, headers: headers(['Content-Range', 'bytes 0-7/9']) } }],
    ['a range of unknown size', { response: { status: 206, headers: headers(['Content-Range', 'bytes 0-7/*']) } }],
    ['several ranges', { response: { status: 206 } }],
    ['a redirect to itself', { response: { status: 302, headers: headers(['Location', '/#x']), body: noBody('none') } }],
    ['a response without a status', { response: { status: 0 } }],
  ])('%s', async (_title, sketch) => {
    const { records, lines } = await archiveOf(sketch);
    expect(types(records)).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('a request that failed without a response', async () => {
    const { records } = await archive((writer) => writer.exchange({ ...exchangeOf({ failure }), response: undefined }));
    expect(records).toEqual([]);
  });
});

describe('an incomplete body', () => {
  it.each<readonly [string, string, Sketch]>([
    ['beyond the limit', 'length', { response: { body: bodyOf('part', { state: 'truncated' }) } }],
    ['in progress at the end', 'time', { response: { body: partial() }, failure: { ...failure, unfinished: true } }],
    ['that was canceled', 'time', { response: { body: partial() }, failure: { ...failure, canceled: true } }],
    ['without an error', 'disconnect', { response: { body: partial() } }],
    ['cut by the network', 'disconnect', { response: { body: partial() }, failure }],
    ['of an EventSource', 'disconnect', { resourceType: 'EventSource', response: { body: partial('data: 1\n\n') } }],
    ['without a byte', 'disconnect', { response: { body: noBody('partial') }, failure }],
  ])('%s is stored as far as it was received: %s', async (_title, reason, sketch) => {
    const { response } = await stored(sketch);
    expect(response.field('WARC-Truncated')).toBe(reason);
    expect(response.http('Content-Length')).toBe(String(response.text.length));
  });

  it('has no revisit, and is none', async () => {
    const same = { response: { body: bodyOf('part', { state: 'truncated' }) } } as const;
    const { records } = await archiveOf(
      same,
      { ...same, seconds: 1 },
      { url: 'https://example.com/b', response: { body: bodyOf('part') } },
    );
    expect(types(records)).toEqual(['response', 'request', 'response', 'request', 'response', 'request']);
  });
});

describe('a response that is stored as another', () => {
  it('206 with all bytes is a 200', async () => {
    const range = headers(['Content-Range', 'bytes 0-7/8'], ['Content-Type', 'video/mp4']);
    const { response } = await stored({ response: { status: 206, statusText: 'Partial Content', headers: range } });
    expect(response.firstLine).toBe('HTTP/1.1 200 OK');
    expect(response.http('Content-Range')).toBeUndefined();
  });

  it('a redirect is empty, whatever became of its body', async () => {
    const location = headers(['Location', 'https://example.com/next'], ['Content-Length', '100']);
    const { response } = await stored({ response: { status: 301, statusText: '', headers: location, body: noBody('missing') } });
    expect(response.firstLine).toBe('HTTP/1.1 301 Moved Permanently');
    expect(response.http('Content-Length')).toBe('0');
    expect(response.text).toBe('');
  });

  it('an empty 200 and a 204 are empty', async () => {
    const { records } = await archiveOf(
      { response: { body: bodyOf('') } },
      { seconds: 1, response: { status: 204, body: noBody('none') } },
    );
    expect(types(records)).toEqual(['response', 'request', 'response', 'request']);
  });

  it.each(['memory-cache', 'disk-cache', 'prefetch-cache', 'service-worker'] as const)(
    'one of the %s only if its URL is not stored',
    async (servedFrom) => {
      const cached = { response: { servedFrom, body: bodyOf('cached') } } as const;
      const first = await archiveOf(cached);
      expect(types(first.records)).toEqual(['response', 'request']);
      const second = await archiveOf({}, { ...cached, seconds: 1 });
      expect(types(second.records)).toEqual(['response', 'request']);
      expect(second.records[0]?.text).toBe('<p>hello');
    },
  );

  it('a 304 with the cached body is a 200, if its URL is not stored', async () => {
    const revalidated = { seconds: 1, response: { status: 304, statusText: 'Not Modified' } } as const;
    expect((await stored(revalidated)).response.firstLine).toBe('HTTP/1.1 200 OK');
    expect(types((await archiveOf({}, revalidated)).records)).toEqual(['response', 'request']);
  });

  it('a cached one is stored if only a truncated one is', async () => {
    const { records } = await archiveOf({ response: { body: partial() } }, { seconds: 1, response: { servedFrom: 'disk-cache' } });
    expect(types(records)).toEqual(['response', 'request', 'response', 'request']);
  });
});

describe('other records', () => {
  it('warcinfo and resource are as given', async () => {
    const { records, lines } = await archive(async (writer) => {
      await writer.warcinfo({ software: 'Platen', format: 'WARC File\r\nFormat 1.1' });
      const date = new Date('2026-01-02T12:00:00.345Z');
      await writer.resource({ uri: 'urn:pageinfo:https://example.com/', contentType: 'application/json', body: Buffer.from('{}'), date });
    });
    const [info, resource] = records;
    expect(info).toMatchObject({ type: 'warcinfo', text: 'software: Platen\r\nformat: WARC File Format 1.1\r\n' });
    expect(info?.field('WARC-Filename')).toBe('test.warc.gz');
    expect(info?.field('Content-Type')).toBe('application/warc-fields');
    expect(resource).toMatchObject({ type: 'resource', text: '{}' });
    expect(lines.map((line) => parseLine(line).key)).toEqual(['urn:pageinfo:https://example.com/']);
  });

  it('none follows one that an error cut off', async () => {
    const failed = await archive(async (writer) => {
      const broken = { ...bodyOf('abc'), bytes: 4 };
      await expect(writer.exchange(exchangeOf({ response: { body: broken } }))).rejects.toThrow('3 bytes');
      await expect(writer.exchange(exchangeOf({}))).rejects.toThrow('3 bytes');
    });
    expect(failed.bytes).toHaveLength(0);
  });
});
