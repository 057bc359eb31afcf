import { PlatenError } from 'platen/client';
import { describe, expect, it } from 'vitest';
import { BASE, failureOf, openClient, PAGE, problem } from './fake-server.js';

describe('render', () => {
  it('sends the parameters as JSON with the credential, and has the output', async () => {
    const { client, requests } = openClient(
      [new Response('# Hi', { headers: { 'content-type': 'text/markdown', 'x-target-status': '404' } })],
      {
        token: 't1',
        headers: { 'x-tenant': 'a' },
      },
    );
    const rendered = await client.render({ ...PAGE, output_type: 'markdown', cookie: null });
    const [{ method, url, headers } = new Request(BASE)] = requests;
    expect([method, url]).toEqual(['POST', 'https://render.test/behind/']);
    expect(Object.fromEntries(headers)).toMatchObject({ authorization: 'Bearer t1', 'content-type': 'application/json', 'x-tenant': 'a' });
    expect(await requests[0]?.json()).toEqual({ ...PAGE, output_type: 'markdown', cookie: null });
    expect([rendered.contentType, rendered.headers.get('x-target-status'), rendered.assets()]).toEqual(['text/markdown', '404', []]);
    expect(await rendered.text()).toBe('# Hi');
  });

  it.each([
    ['bytes', [123, 125]],
    ['text', '{}'],
    ['json', {}],
  ] as const)('has its body as %s', async (name, expected) => {
    const rendered = await openClient([new Response('{}')]).client.render(PAGE);
    const read = await rendered[name]();
    expect(read instanceof Uint8Array ? [...read] : read).toEqual(expected);
  });

  it('has its body as a stream, also an empty one', async () => {
    for (const [response, text] of [
      [new Response('ab'), 'ab'],
      [new Response(null), ''],
    ] as const)
      expect(await new Response((await openClient([response]).client.render(PAGE)).body).text()).toBe(text);
  });

  it.each([
    ['a path', '/assets?id=1&signature=2', 'https://render.test/behind/assets?id=1&signature=2'],
    ['an address of another name', 'https://cdn.test/x/assets?id=1', 'https://cdn.test/x/assets?id=1'],
  ])('has the assets of links by %s, fetched with the credential from the known address only', async (_name, link, url) => {
    const headers = { link: `</style.css>; rel="preload", <${link}>; rel="related"; type="application/json"; title="a \\"b\\""` };
    const { client, requests } = openClient([new Response('png', { headers }), new Response('{"log":{}}')], { token: 't1' });
    const [asset, ...others] = (await client.render({ ...PAGE, with_har: true })).assets();
    expect([asset?.name, asset?.contentType, asset?.url, others]).toEqual(['a "b"', 'application/json', url, []]);
    expect(await (await asset?.open())?.json()).toEqual({ log: {} });
    expect(requests[1]?.url).toBe(`https://render.test/behind${link.slice(link.indexOf('/assets'))}`);
    expect(requests[1]?.headers.get('authorization')).toBe('Bearer t1');
  });
});

describe('errors', () => {
  it('are those of the problem document, with what the render has left', async () => {
    const errors = [{ parameter: 'url', detail: '"url" is missing' }];
    const link = '</assets?id=1>; rel="related"; type="image/png"; title="evidence"';
    const { client } = openClient([problem({ code: 'invalid_parameters', detail: '"url" is missing', errors }, 400, { link })]);
    const error = await failureOf(client.render({}));
    expect(error).toBeInstanceOf(PlatenError);
    expect(error).toMatchObject({
      code: 'invalid_parameters',
      status: 400,
      errors,
      message: '"url" is missing',
      problem: { retryable: false },
    });
    expect(error).toMatchObject({ assets: [{ name: 'evidence', url: 'https://render.test/behind/assets?id=1' }] });
  });

  it.each(['text/html', 'application/json'])('of other programs have a status only: %s', async (type) => {
    const { client } = openClient([new Response('{"code":"x"}', { status: 502, headers: { 'content-type': type } })]);
    expect(await failureOf(client.render(PAGE))).toMatchObject({
      code: undefined,
      status: 502,
      errors: [],
      message: 'the server responded with 502',
    });
  });

  it('of the network are not changed', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = openClient([() => Promise.reject(cause)]);
    expect(await failureOf(client.render(PAGE))).toBe(cause);
  });
});

describe('a request is repeated', () => {
  const later = (status: number, wait?: string) =>
    problem({ code: 'overloaded' }, status, wait === undefined ? {} : { 'retry-after': wait });
  it.each([
    ['after 429, as soon as Retry-After says', [later(429, '0')], {}, 2, 200],
    ['after 503', [later(503, '0'), later(503, '0')], {}, 3, 200],
    ['at a date', [later(503, new Date(0).toUTCString())], {}, 2, 200],
    ['not without Retry-After', [later(503)], {}, 1, 503],
    ['not with one that says nothing', [later(503, 'soon')], {}, 1, 503],
    ['not after other errors', [later(500, '0')], {}, 1, 500],
    ['five times', Array.from({ length: 6 }, () => later(429, '0')), {}, 6, 429],
    ['as often as wished', Array.from({ length: 6 }, () => later(429, '0')), { retries: 2 }, 3, 429],
    ['never, if wished', [later(429, '0')], { retries: 0 }, 1, 429],
  ] as const)('%s', async (_name, answers, options, count, status) => {
    const { client, requests } = openClient([...answers, new Response('done')], options);
    const error = await failureOf(client.render(PAGE));
    expect([requests.length, error instanceof PlatenError ? error.status : 200]).toEqual([count, status]);
    for (const request of requests) expect(await request.json()).toEqual(PAGE);
  });

  it('not once the caller has left, who need not wait', async () => {
    const leave = new AbortController();
    const { client, requests } = openClient([
      () => {
        setImmediate(() => {
          leave.abort(new Error('left'));
        });
        return later(503, '3600');
      },
    ]);
    await expect(client.render(PAGE, { signal: leave.signal })).rejects.toThrow('left');
    expect(requests).toHaveLength(1);
  });
});
