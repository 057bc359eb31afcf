import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RenderPlan } from '@platen/kernel';
import { openServer, rendered, type TestServer } from '../server/test-server.js';

const plans: RenderPlan[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await openServer({
    render(plan, options) {
      plans.push(plan);
      return rendered(plan, options);
    },
  });
});
afterAll(() => server[Symbol.asyncDispose]());

const lastParams = () => plans.at(-1)?.params;
const detailsOf = async (response: Response): Promise<string[]> => {
  expect(response.status).toBe(400);
  const problem = (await response.json()) as { errors: { parameter: string; detail: string }[] };
  return problem.errors.map(({ parameter, detail }) => `${parameter}: ${detail}`);
};

describe('render request', () => {
  it('the only required key is url', async () => {
    expect((await server.get('url=http://a.test/')).status).toBe(200);
    expect(await detailsOf(await server.get('full_page=true'))).toEqual(['url: "url" is required']);
    expect(await detailsOf(await server.post({}))).toEqual(['url: "url" is required']);
  });

  it('a key that the schema lacks is rejected with 400, saying what was meant', async () => {
    expect(await detailsOf(await server.get('url=http://a.test/&fullpage=1'))).toEqual([
      'fullpage: unknown parameter "fullpage": did you mean "full_page"?',
    ]);
    expect(await detailsOf(await server.post({ url: 'http://a.test/', 'server-bind-port': 1 }))).toHaveLength(1);
  });

  it('null means unset', async () => {
    expect((await server.post({ url: 'http://a.test/', full_page: null, cookie: null })).status).toBe(200);
    expect(lastParams()).toEqual({ url: 'http://a.test/' });
  });

  it('output_type must be omitted, not null', async () => {
    expect(await detailsOf(await server.post({ url: 'http://a.test/', output_type: null }))).toHaveLength(1);
  });

  it('body-only keys are not accepted in GET query strings', async () => {
    expect(await detailsOf(await server.get('url=http://a.test/&navigator_data={"a":"b"}'))).toHaveLength(1);
    expect((await server.post({ url: 'http://a.test/', navigator_data: { a: 'b' } })).status).toBe(200);
  });

  it('all errors are reported together', async () => {
    expect(await detailsOf(await server.get('url=http://a.test/&emulate_touch_points=17&browser_width=-1&nonsense=1'))).toHaveLength(3);
  });

  it('values outside documented ranges are rejected', async () => {
    expect(await detailsOf(await server.get('url=http://a.test/&emulate_touch_points=0'))).toEqual([
      expect.stringContaining('between 1 and 16'),
    ]);
    expect(await detailsOf(await server.get('url=http://a.test/&device_scale_factor=0'))).toHaveLength(1);
    expect(await detailsOf(await server.get('url=http://a.test/&markdown_selector='))).toHaveLength(1);
    expect(await detailsOf(await server.get('url=http://a.test/&markdown_selector'))).toHaveLength(1);
    expect(await detailsOf(await server.post({ url: 'http://a.test/', markdown_selector: '' }))).toHaveLength(1);
  });
});

describe('query strings', () => {
  it('arrays are repeated keys, key[] is the same key, commas never split', async () => {
    await server.get(`url=http://a.test/&cookie=${encodeURIComponent('a=1; Expires=Mon, 1 Jan')}&cookie[]=b%3D2`);
    expect(lastParams()).toMatchObject({ cookie: ['a=1; Expires=Mon, 1 Jan', 'b=2'] });
  });

  it('a scalar key given twice is a 400 naming the key', async () => {
    expect(await detailsOf(await server.get('url=http://a.test/&url=http://b.test/'))).toEqual([expect.stringMatching(/^url: /)]);
    expect(await detailsOf(await server.get('url=http://a.test/&browser_width=1&browser_width=1'))).toEqual([
      expect.stringMatching(/^browser_width: /),
    ]);
  });

  it.each([
    ['full_page=true', true],
    ['full_page=false', false],
    ['full_page=1', true],
    ['full_page=0', false],
    ['full_page', true],
    ['full_page=TRUE', true],
    ['full_page=yes', true],
    ['full_page=on', true],
    ['full_page=no', false],
    ['full_page=off', false],
  ])('booleans: %s', async (query, value) => {
    expect((await server.get(`url=http://a.test/&${query}`)).status).toBe(200);
    expect(lastParams()).toMatchObject({ full_page: value });
  });

  it.each(['full_page=y', 'full_page=enabled', 'full_page=2'])('booleans: %s is a 400', async (query) => {
    expect(await detailsOf(await server.get(`url=http://a.test/&${query}`))).toHaveLength(1);
  });

  it.each(['NaN', 'Infinity', '0x10', '1e3', '1.5', '-1', '4294967296', ' 5', '५'])('numbers: browser_width=%s is a 400', async (text) => {
    expect(await detailsOf(await server.get(`url=http://a.test/&browser_width=${encodeURIComponent(text)}`))).toHaveLength(1);
  });

  it('an empty value means unset', async () => {
    expect((await server.get('url=http://a.test/&browser_width=&cookie=&full_page=&image_selector=&markdown_selector=h1')).status).toBe(
      200,
    );
    expect(lastParams()).toEqual({ url: 'http://a.test/', markdown_selector: 'h1' });
  });

  it('an empty value in a JSON body is a value', async () => {
    expect(await detailsOf(await server.post({ url: 'http://a.test/', image_selector: '' }))).toEqual([
      'image_selector: "image_selector" must be a non-empty string',
    ]);
  });

  it('a plus and %20 are both a blank', async () => {
    await server.get('url=http://a.test/&cookie=a%3Db+c&cookie=a%3Db%20c');
    expect(lastParams()).toMatchObject({ cookie: ['a=b c', 'a=b c'] });
  });

  it('a data: URL of 200,000 characters fits', async () => {
    const url = `data:text/html,${'x'.repeat(200_000)}`;
    expect((await server.get(`url=${url}`)).status).toBe(200);
    expect(plans.at(-1)?.url).toHaveLength(url.length);
  });
});

describe('POST /', () => {
  it('takes the same keys as a JSON body', async () => {
    const params = { url: 'http://a.test/', full_page: true, cookie: ['a=1'], browser_width: 800, device_scale_factor: 1.5 };
    expect((await server.post(params)).status).toBe(200);
    expect(lastParams()).toEqual(params);
  });

  it('does not coerce: "true" is no boolean and "800" no number', async () => {
    expect(await detailsOf(await server.post({ url: 'http://a.test/', full_page: 'true', browser_width: '800' }))).toHaveLength(2);
  });

  it('takes a gzipped body', async () => {
    const { gzipSync } = await import('node:zlib');
    const response = await server.post('', {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"url":"http://zipped.test/"}'),
    });
    expect(response.status).toBe(200);
    expect(plans.at(-1)?.url).toBe('http://zipped.test/');
  });

  it('takes "application/json; charset=UTF-8"', async () => {
    expect(
      (await server.post({ url: 'http://a.test/' }, { headers: { 'content-type': 'application/json; charset="UTF-8"' } })).status,
    ).toBe(200);
  });

  it('takes no parameters from its query', async () => {
    const response = await fetch(`${server.url}/?full_page=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"url":"http://a.test/"}',
    });
    expect(response.status).toBe(400);
    expect((await response.json()).detail).toContain('full_page');
  });
});

describe('DELETE /', () => {
  it('is validated as for GET and POST, and then 404 without a cache', async () => {
    expect((await fetch(`${server.url}/?url=http://a.test/`, { method: 'DELETE' })).status).toBe(404);
    expect(await detailsOf(await fetch(`${server.url}/?url=http://a.test/&nonsense=1`, { method: 'DELETE' }))).toHaveLength(1);
    const body = (value: object) => ({ method: 'DELETE', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
    expect((await fetch(`${server.url}/`, body({ url: 'http://a.test/' }))).status).toBe(404);
    expect(await detailsOf(await fetch(`${server.url}/`, body({ full_page: true })))).toEqual(['url: "url" is required']);
  });

  it('with neither query nor body is 404 without a cache', async () => {
    const response = await fetch(`${server.url}/`, { method: 'DELETE' });
    expect(response.status).toBe(404);
    expect((await response.json()).code).toBe('not_found');
  });

  it('with both is a 400', async () => {
    const response = await fetch(`${server.url}/?url=http://a.test/`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: '{"url":"http://a.test/"}',
    });
    expect(response.status).toBe(400);
  });
});
