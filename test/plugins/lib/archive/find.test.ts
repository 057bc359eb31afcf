import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cdxj, OK_HTML, opened, packed, record, SITE, zip } from './archive-files.js';

const redirect = (location: string) => `HTTP/1.1 301 Moved\r\nLocation: ${location}`;
const status = (line: string) => `HTTP/1.1 ${line}\r\nContent-Type: text/html`;

describe('a response is found', () => {
  const records = [
    record({ url: SITE, body: 'home' }),
    record({ url: `${SITE}list?b=2&a=1`, body: 'list' }),
    record({ url: `${SITE}app.js?_=1700000000000`, body: 'script' }),
    record({ url: `${SITE}caf%C3%A9/na%C3%AFve`, body: 'café' }),
    record({ url: 'http://site.test/plain', body: 'over http' }),
    record({ url: 'https://www.site.test/www', body: 'with www' }),
  ];

  it.each<readonly [string, string, string | undefined, 'exact' | 'fuzzy' | undefined]>([
    [SITE, 'fuzzy', 'home', 'exact'],
    [`${SITE}#part`, 'fuzzy', 'home', 'exact'],
    [`${SITE}list?b=2&a=1`, 'exact', 'list', 'exact'],
    [`${SITE}list?a=1&b=2`, 'fuzzy', 'list', 'fuzzy'],
    [`${SITE}list?a=1&b=2`, 'exact', undefined, undefined],
    [`${SITE}list?a=1&b=2&utm_source=x`, 'fuzzy', 'list', 'fuzzy'],
    [`${SITE}list?a=1&b=3`, 'fuzzy', undefined, undefined],
    [`${SITE}app.js?_=1800000000000`, 'fuzzy', 'script', 'fuzzy'],
    [`${SITE}app.js`, 'fuzzy', 'script', 'fuzzy'],
    [`${SITE}app.js?_=1800000000000`, 'exact', undefined, undefined],
    [`${SITE}café/naïve`, 'exact', 'café', 'exact'],
    ['https://site.test/plain', 'fuzzy', 'over http', 'fuzzy'],
    ['https://site.test/plain', 'exact', undefined, undefined],
    [`${SITE}www`, 'fuzzy', 'with www', 'fuzzy'],
    ['https://other.test/', 'fuzzy', undefined, undefined],
  ])('%s, %s: %s', async (url, match, body, how) => {
    await using archive = await opened(packed(...records));
    const found = await archive.find(url, { match: match as 'fuzzy' });
    expect(found?.match).toBe(how);
    expect(await archive.text(url, { match: match as 'fuzzy' })).toBe(body);
  });

  it('with its headers, type and date, and the digest of the file', async () => {
    const bytes = packed(
      record({
        http: 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=utf-8\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Folded: one\r\n two\r\nX-Name: naïve',
      }),
    );
    await using archive = await opened(bytes);
    expect(archive.archive).toMatchObject({ kind: 'warc', sha256: createHash('sha256').update(bytes).digest('hex') });
    expect((await archive.find(SITE))?.response).toMatchObject({
      ...{ url: SITE, date: '20260102120000', mime: 'text/html', status: 404 },
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['X-Folded', 'one two'],
        ['X-Name', 'naïve'],
      ],
    });
  });
});

describe('of several responses of a URL', () => {
  const at = (date: string, body: string, line = '200 OK') => record({ date, body, http: status(line) });
  const captures = [
    at('2026-01-02T12:00:00Z', 'first'),
    at('2026-03-04T12:00:00Z', 'second'),
    at('2026-05-06T12:00:00Z', 'gone', '404 Not Found'),
  ];

  it.each([
    [undefined, 'first'],
    ['20260102', 'first'],
    ['20260301000000', 'second'],
    ['20260601000000', 'gone'],
  ])('that nearest to %s is %s', async (moment, body) => {
    await using archive = await opened(packed(...captures.toReversed()));
    expect(await archive.text(SITE, { at: moment })).toBe(body);
  });

  it('one of status 2xx is preferred to a wall that reloads itself, unless a time is asked for', async () => {
    await using archive = await opened(packed(at('2026-01-02T12:00:00Z', 'wall', '503 Wait'), at('2026-01-02T12:00:04Z', 'page')));
    expect(await archive.text(SITE)).toBe('page');
    expect(await archive.text(SITE, { at: '20260102120000' })).toBe('wall');
  });

  it('in one second, one of status 2xx is preferred', async () => {
    await using archive = await opened(packed(at('2026-01-02T12:00:00Z', 'wall', '503 Wait'), at('2026-01-02T12:00:00Z', 'page')));
    expect(await archive.text(SITE, { at: '20260102120000' })).toBe('page');
  });
});

describe('parts and confirmations', () => {
  const partial = 'HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\nContent-Range: bytes 2-3/10';

  it('come after the whole, however near', async () => {
    const records = [
      record({ http: 'HTTP/1.1 304 Not Modified\r\nETag: "1"', date: '2026-01-02T12:00:00Z' }),
      record({ http: partial, body: 'cd', date: '2026-01-02T12:00:01Z' }),
      record({ body: 'whole', date: '2026-04-02T12:00:00Z' }),
    ];
    await using archive = await opened(packed(...records));
    expect(await archive.text(SITE, { at: '20260102120000' })).toBe('whole');
  });

  it('a 304 alone is none', async () => {
    await using archive = await opened(packed(record({ http: 'HTTP/1.1 304 Not Modified' })));
    await expect(archive.find(SITE)).rejects.toThrow(`the record of ${SITE} refers to a response that the archive lacks`);
  });

  it('a part alone is returned as such, and one that is the whole as 200', async () => {
    await using part = await opened(packed(record({ http: partial, body: 'cd' })));
    expect((await part.find(SITE))?.response).toMatchObject({ status: 206 });
    expect(await part.text(SITE)).toBe('cd');
    await using whole = await opened(packed(record({ http: partial.replace('2-3', '0-9'), body: '0123456789' })));
    expect((await whole.find(SITE))?.response).toMatchObject({ status: 200, headers: [['Content-Type', 'video/mp4']] });
  });

  it('a redirect of another spelling to the URL itself does not loop', async () => {
    const records = [record({ url: 'http://site.test/', http: redirect(SITE) }), record({ url: 'https://www.site.test/', body: 'home' })];
    await using archive = await opened(packed(...records));
    expect(await archive.text(SITE)).toBe('home');
    await using alone = await opened(packed(records[0] ?? Buffer.of()));
    expect(await alone.find(SITE)).toBeUndefined();
    expect((await alone.find('http://site.test/'))?.response.status).toBe(301);
  });
});

describe('posted data', () => {
  const post = (body: string, type: string, method = 'POST') =>
    record({ url: `${SITE}api`, type: 'request', http: `${method} /api HTTP/1.1\r\nContent-Type: ${type}`, body });
  const answer = (body: string) => record({ url: `${SITE}api`, body });
  const form = 'application/x-www-form-urlencoded';
  const ask = (body: string, contentType = form, method = 'POST') => ({ method, contentType, body: Buffer.from(body) });

  it.each(['after', 'before'])('is compared, with the request %s the response', async (order) => {
    const pairs = [
      [answer('got'), record({ url: `${SITE}api`, type: 'request', http: 'GET /api HTTP/1.1' })],
      [answer('one'), post('a=1&b=2', form)],
      [answer('two'), post('a=2&b=2', form)],
      [answer('json'), post('{"a":1}', 'application/json')],
      [answer('put'), post('a=1&b=2', form, 'PUT')],
    ];
    const records = pairs.flatMap((pair) => (order === 'after' ? pair : pair.toReversed()));
    await using archive = await opened(packed(...records));
    expect(await archive.text(`${SITE}api`)).toBe('got');
    expect(await archive.text(`${SITE}api`, ask('a=1&b=2'))).toBe('one');
    expect(await archive.text(`${SITE}api`, { ...ask('a=2&b=2'), match: 'exact' })).toBe('two');
    expect(await archive.text(`${SITE}api`, ask('{"a":1}', 'application/json'))).toBe('json');
    expect(await archive.text(`${SITE}api`, ask('a=1&b=2', form, 'PUT'))).toBe('put');
    // The most alike.
    expect((await archive.find(`${SITE}api`, ask('a=2&b=9')))?.match).toBe('fuzzy');
    expect(await archive.text(`${SITE}api`, ask('a=2&b=9'))).toBe('two');
    expect(await archive.find(`${SITE}api`, { ...ask('a=2&b=9'), match: 'exact' })).toBeUndefined();
    expect(await archive.find(`${SITE}api`, ask('a=1', form, 'DELETE'))).toBeUndefined();
  });

  it('of a response that follows its request is compared after a response without one', async () => {
    const records = [record({ body: 'page' }), post('a=1', form), answer('one'), post('a=2', form), answer('two')];
    await using archive = await opened(packed(...records));
    expect(await archive.text(SITE)).toBe('page');
    expect(await archive.text(`${SITE}api`, { ...ask('a=1'), match: 'exact' })).toBe('one');
    expect(await archive.text(`${SITE}api`, { ...ask('a=2'), match: 'exact' })).toBe('two');
  });

  const pairs = [
    [answer('first'), post('hello', 'text/plain')],
    [answer('second'), post('{world', 'application/json')],
  ] as const;
  const [one, two] = pairs.map((pair) => packed(...pair)) as [Buffer, Buffer];
  const indexed = async (...requestBodies: readonly string[]) => {
    const line = (offset: number, at: number) => cdxj(`${SITE}api`, { offset, method: 'POST', requestBody: requestBodies[at] });
    return await zip({ 'archive/data.warc.gz': Buffer.concat([one, two]), 'indexes/index.cdx': line(0, 0) + line(one.length, 1) });
  };

  it.each<readonly [string, () => Buffer | Promise<Buffer>]>([
    ['a WARC', () => packed(...pairs.flat())],
    ['a WARC with the requests first', () => packed(...pairs.flatMap((pair) => pair.toReversed()))],
    ["an index as warcio's, without it", () => indexed()],
    ["an index as pywb's", () => indexed('__wb_post_data=aGVsbG8=', '__wb_post_data=e3dvcmxk')],
  ])('that is text or no JSON is compared: %s', async (_, bytes) => {
    await using archive = await opened(await bytes());
    for (const match of ['exact', 'fuzzy'] as const) {
      const second = { ...ask('{world', 'application/json'), match };
      expect(await archive.text(`${SITE}api`, { ...ask('hello', 'text/plain'), match })).toBe('first');
      expect(await archive.text(`${SITE}api`, second)).toBe('second');
      expect((await archive.find(`${SITE}api`, second))?.match).toBe('exact');
    }
    const other = ask('hello!', 'text/plain');
    expect((await archive.find(`${SITE}api`, other))?.match).toBe('fuzzy');
    expect(await archive.find(`${SITE}api`, { ...other, match: 'exact' })).toBeUndefined();
  });

  it('a HEAD has the response to a GET', async () => {
    await using archive = await opened(packed(record({ body: 'home' })));
    expect(await archive.text(SITE, { method: 'HEAD' })).toBe('home');
  });
});

describe('a revisit', () => {
  const digest = { 'WARC-Payload-Digest': 'sha1:ABCDEF' };
  const original = record({ body: 'body', fields: digest, date: '2026-01-02T12:00:00Z' });
  const refers = { 'WARC-Refers-To-Target-URI': SITE, 'WARC-Refers-To-Date': '2026-01-02T12:00:00Z' };
  const revisit = (url: string, http: string, fields: Readonly<Record<string, string>>) =>
    record({ url, type: 'revisit', date: '2026-02-02T12:00:00Z', http, fields });

  it.each<readonly [string, string, Readonly<Record<string, string>>, number, string]>([
    ['by URL and date', 'HTTP/1.1 203 Other\r\nX-Own: yes', { ...refers, ...digest }, 203, 'X-Own'],
    ['without headers of its own', '', refers, 200, 'Content-Type'],
    ['by its digest alone', 'HTTP/1.1 200 OK\r\nX-Own: yes', digest, 200, 'X-Own'],
    ['of a server that said 304', 'HTTP/1.1 304 Not Modified\r\nETag: "1"', refers, 200, 'Content-Type'],
  ])('has the body of its original: %s', async (_, http, fields, code, header) => {
    await using archive = await opened(packed(original, revisit(`${SITE}copy`, http, fields)));
    const found = await archive.find(`${SITE}copy`);
    expect(found?.response).toMatchObject({ url: `${SITE}copy`, status: code, date: '20260202120000', mime: 'text/html' });
    expect(found?.response.headers[0]?.[0]).toBe(header);
    expect(await archive.text(`${SITE}copy`)).toBe('body');
  });

  it('without an original is an error that says so', async () => {
    await using archive = await opened(
      packed(record({ url: `${SITE}a` }), revisit(`${SITE}copy`, OK_HTML, { 'WARC-Payload-Digest': 'sha1:OTHER' })),
    );
    await expect(archive.find(`${SITE}copy`)).rejects.toThrow(`the record of ${SITE}copy refers to a response that the archive lacks`);
  });
});

it('names the URLs that are most alike', async () => {
  const paths = ['', 'about', 'about/team', 'blog/2026', 'contact', 'imprint', 'zebra'];
  await using archive = await opened(packed(...paths.map((path) => record({ url: `${SITE}${path}` })), record({ url: 'https://a.test/' })));
  const alike = await archive.archive.alike(`${SITE}about/teams`, new AbortController().signal);
  expect(alike).toHaveLength(5);
  expect(alike.slice(0, 2)).toEqual([`${SITE}about/team`, `${SITE}about`]);
  expect(alike).not.toContain('https://a.test/');
});
