import { describe, expect, it } from 'vitest';
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
});
