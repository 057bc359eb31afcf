import { describe, expect, it } from 'vitest';
import { readEntries } from '../../../../plugins/lib/archive/src/har-entries.js';
import { opened, SITE } from './archive-files.js';

interface Sketch {
  readonly url?: string;
  readonly method?: string;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly content?: object;
  readonly date?: string;
  readonly postData?: object;
  readonly response?: object;
  readonly more?: object;
}

function entry({
  url = SITE,
  method = 'GET',
  status = 200,
  headers = [],
  content = {},
  date = '2026-01-02T12:00:00.123Z',
  ...given
}: Sketch): object {
  return {
    startedDateTime: date,
    request: { method, url, httpVersion: 'h2', headers: [], ...(given.postData && { postData: given.postData }) },
    response: {
      ...{ status, statusText: '', httpVersion: 'h2', headers: headers.map(([name, value]) => ({ name, value })), redirectURL: '' },
      content: { size: 4, mimeType: 'text/html', ...content },
      ...given.response,
    },
    ...given.more,
  };
}

const har = (...entries: readonly object[]) => Buffer.from(`\uFEFF${JSON.stringify({ log: { version: '1.2', creator: {}, entries } })}`);

describe('a HAR file', () => {
  it('as Chrome writes it is read', async () => {
    const chrome = [
      entry({
        headers: [
          [':status', '200'],
          ['content-type', 'text/html; charset=iso-8859-1'],
          ['content-encoding', 'br'],
          ['set-cookie', 'a=1\nb=2'],
        ],
        content: { text: '<p>Käse', mimeType: 'text/html', compression: 10 },
        more: { _resourceType: 'document', _priority: 'High', _initiator: {} },
      }),
      entry({
        url: `${SITE}logo.png`,
        content: { text: 'iVBORw==', encoding: 'base64', mimeType: 'image/png' },
        headers: [['content-type', 'image/png']],
      }),
      entry({ url: `${SITE}old`, status: 301, response: { redirectURL: `${SITE}new` }, content: { size: 0, mimeType: 'x-unknown' } }),
      entry({ url: 'wss://site.test/socket', status: 101, more: { _webSocketMessages: [] } }),
      entry({ url: `${SITE}blocked`, status: 0, response: { _error: 'net::ERR_BLOCKED_BY_CLIENT' } }),
      entry({ url: `${SITE}cached`, status: 304, headers: [['etag', '"1"']], content: { size: 0 } }),
      entry({ url: 'data:image/png;base64,iVBORw==', content: { text: 'iVBORw==', encoding: 'base64' } }),
    ];
    await using archive = await opened(har(...chrome));
    expect(archive.archive.kind).toBe('har');
    const page = await archive.find(SITE);
    expect(page?.response).toMatchObject({ status: 200, mime: 'text/html', date: '20260102120000' });
    expect(page?.response.headers).toEqual([
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
    expect(await archive.text(SITE)).toBe('<p>Käse');
    const picture = await archive.find(`${SITE}logo.png`);
    expect((await picture?.response.body({ signal: new AbortController().signal, maxBytes: 9 }))?.toString('hex')).toBe('89504e47');
    expect((await archive.find(`${SITE}old`))?.response.headers).toContainEqual(['Location', `${SITE}new`]);
    for (const path of ['blocked', 'cached', 'socket']) expect(await archive.find(`${SITE}${path}`)).toBeUndefined();
  });

  it('as Firefox writes it is read, with the bodies that it has', async () => {
    const firefox = [
      entry({
        content: { text: '{"a":1}', mimeType: 'application/json' },
        more: { pageref: 'page_1', timings: { blocked: -1 }, serverIPAddress: '::1' },
      }),
      entry({ url: `${SITE}without`, content: { size: 1000, mimeType: 'text/css', comment: 'Response bodies are not included.' } }),
      entry({ url: `${SITE}nothing`, status: 204, content: { size: 0, mimeType: '' } }),
    ];
    await using archive = await opened(har(...firefox));
    expect((await archive.find(SITE))?.response.headers).toContainEqual(['Content-Type', 'application/json; charset=utf-8']);
    expect(await archive.find(`${SITE}without`)).toBeUndefined();
    expect((await archive.find(`${SITE}nothing`))?.response.status).toBe(204);
  });

  it('has the responses to posted data, and those of a URL by their time', async () => {
    const posted = (text: string, answer: string) =>
      entry({
        url: `${SITE}api`,
        method: 'POST',
        postData: { mimeType: 'application/x-www-form-urlencoded', text },
        content: { text: answer },
      });
    const params = { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '3' }] };
    const entries = [
      posted('a=1', 'one'),
      posted('a=2', 'two'),
      entry({ url: `${SITE}api`, method: 'POST', postData: params, content: { text: 'three' } }),
      entry({ content: { text: 'early' } }),
      entry({ content: { text: 'late' }, date: '2026-05-02T14:00:00.000+02:00' }),
    ];
    await using archive = await opened(har(...entries));
    const ask = (body: string) => ({ method: 'POST', body: Buffer.from(body), contentType: 'application/x-www-form-urlencoded' });
    expect(await archive.text(`${SITE}api`, ask('a=2'))).toBe('two');
    expect(await archive.text(`${SITE}api`, ask('a=3'))).toBe('three');
    expect(await archive.text(SITE)).toBe('early');
    expect(await archive.text(SITE, { at: '20260502120000' })).toBe('late');
  });

  it('of which entries are not as they should be has the others', async () => {
    const odd = [null, 1, {}, { request: null, response: { status: 200 } }, entry({ date: 'never' }), entry({ url: 'no URL' })];
    const file = Buffer.from(JSON.stringify({ log: { entries: [...odd, entry({ content: { text: 'page' } })] } }));
    await using archive = await opened(file);
    expect(await archive.text(SITE)).toBe('page');
  });

  it('has the entries with an impossible date, with the date of the one before', async () => {
    const undated = (path: string) => entry({ url: `${SITE}${path}`, date: '', content: { text: path } });
    await using archive = await opened(har(undated('first'), entry({ content: { text: 'page' } }), undated('last')));
    expect((await archive.find(`${SITE}first`))?.response.date).toBe('19700101000000');
    expect((await archive.find(`${SITE}last`))?.response.date).toBe('20260102120000');
  });

  it('lacks a body where it has neither a text nor the size 0, and says so', async () => {
    const bodiless = (path: string, more: Sketch = {}) => entry({ url: `${SITE}${path}`, content: { size: undefined }, ...more });
    const lacking = [bodiless('unknown'), bodiless('missing', { content: { size: 9 } })];
    const complete = [
      bodiless('empty', { content: { size: 0 } }),
      bodiless('nothing', { status: 204 }),
      bodiless('moved', { status: 302, response: { redirectURL: SITE } }),
      bodiless('head', { method: 'HEAD' }),
    ];
    await using archive = await opened(har(...lacking, ...complete));
    for (const path of ['unknown', 'missing']) {
      expect(await archive.find(`${SITE}${path}`)).toBeUndefined();
      expect(archive.archive.lacksBody(`${SITE}${path}`)).toBe(true);
    }
    for (const path of ['empty', 'nothing', 'moved']) expect(await archive.text(`${SITE}${path}`)).toBe('');
    expect(await archive.text(`${SITE}head`, { method: 'HEAD' })).toBe('');
    expect(archive.archive.lacksBody(`${SITE}empty`)).toBe(false);
    await using without = await opened(har(...lacking));
    expect(without.archive.lacksBody(`${SITE}missing`)).toBe(true);
  });

  it('is read whatever surrounds its entries, and whatever its strings contain', async () => {
    const text = `${'x'.repeat(70_000)}"}]\\`;
    const page = entry({ content: { text } });
    const other = { entries: [entry({ url: `${SITE}other`, content: { text: 'no' } })] };
    const log = { 'comment "': '{"log":{"entries":[', entries: [page], pages: [other], ...{ creator: { entries: [{}] } } };
    await using archive = await opened(Buffer.from(JSON.stringify({ other, log, '\\': 1 }, undefined, 2)));
    expect(await archive.text(SITE)).toBe(text);
    expect(await archive.find(`${SITE}other`)).toBeUndefined();
  });
});

describe('a HAR file that would take much time or memory', () => {
  const inside = (entries: string) => Buffer.from(`{"log":{"entries":[${entries}]}}`);

  it.each([
    ['is nested deep', Buffer.from(`{"a":${'['.repeat(1000)}`), 'JSON nested more than 64 levels deep'],
    ['has an entry that is nested deep', inside(`{"a":${'['.repeat(1000)}`), 'JSON nested more than 64 levels deep'],
    ['has many entries', inside(`{}${',{}'.repeat(100_000)}`), 'a HAR file of more than 100000 entries'],
    ['has an entry of many values', inside(`{"a":[1${',1'.repeat(100_000)}]}`), 'a HAR file with an entry of more than 100000 values'],
    ['has a large entry', inside(`{"a":"${'x'.repeat(2 ** 26)}"}`), 'a HAR file with an entry of more than 67108864 bytes'],
  ])('is refused if it %s', async (_, bytes, message) => {
    await expect(opened(bytes)).rejects.toMatchObject({ name: 'NotAnArchive', message });
  });

  it.each([
    ['an entry', inside('{"a":}')],
    ['its end', inside('{}').subarray(0, -1)],
    ['a bracket', Buffer.from('{}}')],
  ])('is refused where %s is damaged', async (_, bytes) => {
    await expect(opened(bytes)).rejects.toThrow('a damaged HAR file: it is not valid JSON');
  });

  it('ends with the signal in the middle', async () => {
    const bytes = inside(Array(50_000).fill('{}').join());
    const source = { bytes: bytes.length, read: (at: number, length: number) => Promise.resolve(bytes.subarray(at, at + length)) };
    const stop = new AbortController();
    const readAll = async () => {
      for await (const first of readEntries(source, stop.signal)) if (first) stop.abort(new Error('time is up'));
    };
    await expect(readAll()).rejects.toThrow('time is up');
  });
});
