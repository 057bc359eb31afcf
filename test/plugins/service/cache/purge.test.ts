import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import { closeAll, openCached, renderedAs } from './cached-server.js';

afterEach(closeAll);

const PAGE = 'url=http://a.test/';

async function textOf(answer: Promise<Response>): Promise<string> {
  return await (await answer).text();
}

describe('DELETE /', () => {
  it('purges one result, or all', async () => {
    const server = await openCached();
    const purge = async (query: string) => (await server.get(query, { method: 'DELETE' })).status;
    await server.get(PAGE);
    await server.get(`${PAGE}&full_page`);
    expect(await purge(PAGE)).toBe(204);
    expect(await purge(PAGE)).toBe(410);
    expect(await textOf(server.get(`${PAGE}&full_page`))).toBe('picture 2');
    expect(await textOf(server.get(PAGE))).toBe('picture 3');
    expect(await purge('')).toBe(204);
    await until(async () => (await server.files()).length === 0);
    expect(await textOf(server.get(`${PAGE}&full_page`))).toBe('picture 4');
    expect(await purge(`${PAGE}&nonsense=1`)).toBe(400);
  });

  it.each(['?', '?&&', '?='])('purges nothing for a query that says nothing: /%s', async (query) => {
    const server = await openCached();
    await server.get(PAGE);
    const [answer] = (await once(request(server.url, { method: 'DELETE', path: `/${query}`, agent: false }).end(), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect(await textOf(server.get(PAGE))).toBe('picture 1');
  });

  it.each([
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json', 'content-length': '0' },
    { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '0' },
  ])('purges nothing for an empty body that was to be something: %j', async (headers) => {
    const server = await openCached();
    await server.get(PAGE);
    const [answer] = (await once(request(server.url, { method: 'DELETE', path: '/', agent: false, headers }).end(), 'response')) as [
      IncomingMessage,
    ];
    answer.resume();
    expect(answer.statusCode).toBe(400);
    expect(await textOf(server.get(PAGE))).toBe('picture 1');
    expect((await server.get(PAGE, { method: 'DELETE', headers: { 'content-type': 'application/json' } })).status).toBe(204);
  });

  it.each([
    ['if-match', '"another"', 412],
    ['if-match', '"another", ETAG', 204],
    ['if-match', 'W/ETAG', 412],
    ['if-match', '*', 204],
    ['if-none-match', '"another"', 204],
    ['if-none-match', 'W/ETAG', 412],
    ['if-none-match', '*', 412],
    ['if-unmodified-since', 'Thu, 01 Jan 2015 00:00:00 GMT', 412],
    ['if-unmodified-since', 'Thu, 01 Jan 2115 00:00:00 GMT', 204],
    ['if-unmodified-since', 'no time', 204],
  ])('with %s: %s is a %d, and what is presumed otherwise stays', async (name, value, status) => {
    const server = await openCached();
    await server.get(PAGE);
    await server.kept(1);
    const etag = String((await server.get(PAGE)).headers.get('etag'));
    const headers = { [name]: value.replace('ETAG', etag) };
    const answer = await server.get(PAGE, { method: 'DELETE', headers });
    expect([answer.status, answer.status === 412 ? ((await answer.json()) as { code: string }).code : 'purged']).toEqual([
      status,
      status === 412 ? 'precondition_failed' : 'purged',
    ]);
    expect(await textOf(server.get(PAGE))).toBe(status === 412 ? 'picture 1' : 'picture 2');
  });

  it('where nothing is kept: what must be there is a 412, what must not is as without', async () => {
    const server = await openCached();
    const purge = async (query: string, headers: Record<string, string>) => (await server.get(query, { method: 'DELETE', headers })).status;
    expect([await purge(PAGE, { 'if-match': '*' }), await purge(PAGE, { 'if-none-match': '*' })]).toEqual([412, 410]);
    await server.get(PAGE);
    await server.kept(1);
    expect([await purge('', { 'if-match': '"any"' }), await purge('', { 'if-match': '*' })]).toEqual([412, 204]);
  });

  it('a render in progress is not stored any more', async () => {
    let finish = (): void => undefined;
    const server = await openCached({
      render: () =>
        new Promise((resolve) => {
          finish = () => {
            resolve(renderedAs(Buffer.from('late')));
          };
        }),
    });
    const answer = server.get(PAGE);
    await until(() => server.renders() === 1);
    expect((await server.get(PAGE, { method: 'DELETE' })).status).toBe(410);
    finish();
    expect(await textOf(answer)).toBe('late');
    await until(async () => (await server.files()).length === 0);
    const again = server.get(PAGE);
    await until(() => server.renders() === 2);
    finish();
    await again;
  });
});
