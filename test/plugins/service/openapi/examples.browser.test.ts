import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAll, openDocumented, type DocumentedServer } from './open-documented.js';

const keys = (await loadAll()).flatMap(({ definition: { params = {} } }) => Object.keys(params));
let server: DocumentedServer;

beforeAll(async () => {
  server = await openDocumented();
});

afterAll(() => server[Symbol.asyncDispose]());

const exampleOf = (key: string) => server.document.paths['/'].post.requestBody.content['application/json'].examples[key].value;

/** As the document says that a query is written: lists as repeated keys. */
function toQuery(params: Readonly<Record<string, unknown>>): string | undefined {
  const pairs = Object.entries(params).flatMap(([key, value]) => [value].flat().map((item): [string, unknown] => [key, item]));
  if (pairs.some(([, item]) => typeof item === 'object')) return undefined;
  return new URLSearchParams(pairs.map(([key, item]) => [key, String(item)])).toString();
}

/** An answer for which nothing was rendered has no phases. */
const headersOf = (key: string) => ['X-Request-Id', 'Content-Disposition', ...(key === 'diagnostics' ? [] : ['Server-Timing'])];

async function expectDocumented(response: Response, method: 'get' | 'post', key: string): Promise<void> {
  const text = await response.text();
  const { responses } = server.document.paths['/'][method];
  expect(response.status, text).toBe(200);
  expect(Object.keys(responses[200].content)).toContain(response.headers.get('content-type'));
  for (const name of headersOf(key)) {
    expect(response.headers.get(name), name).not.toBeNull();
    expect(responses[200].headers).toHaveProperty([name]);
  }
}

describe.each(['url', 'output_type', 'fail', 'timeout', 'no_timeout', ...keys])('the example of %s', (key) => {
  it('is answered by POST as documented', async () => {
    const params = exampleOf(key);
    expect(params).toHaveProperty(key);
    await expectDocumented(await server.post(params), 'post', key);
  });

  it('is answered by GET as documented, where a query can say it', async () => {
    const query = toQuery(exampleOf(key));
    const parameter = server.document.components.parameters[key];
    if (query === undefined || parameter === undefined) {
      expect(parameter === undefined || typeof exampleOf(key)[key] === 'object').toBe(true);
      return;
    }
    await expectDocumented(await server.get(query), 'get', key);
    const own = toQuery({ url: 'https://example.com/', ...exampleOf(key), [key]: parameter.example ?? exampleOf(key)[key] });
    await expectDocumented(await server.get(own ?? ''), 'get', key);
  });
});

it('every example is valid by the schema beside it', () => {
  const { schemas } = server.document.components;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schemas.HttpRequestParams);
  const { examples } = server.document.paths['/'].post.requestBody.content['application/json'];
  for (const [key, { value }] of Object.entries<{ readonly value: object }>(examples)) {
    expect(validate(value), `${key}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
  expect(validate({ url: 'https://example.com/', fullpage: true })).toBe(false);
});

describe('a wrong request is answered as documented', () => {
  const codes = (status: number, method: 'get' | 'post' | 'delete') =>
    server.document.paths['/'][method].responses[status].content['application/problem+json'].schema.allOf[1].properties.code.enum;

  it.each([
    ['an unknown key', 'get', 400, () => server.get('url=http://a.test/&fullpage=1')],
    ['no URL', 'post', 400, () => server.post({})],
    ['an object in a query', 'get', 400, () => server.get('url=http://a.test/&with_storage={}')],
    ['a body that is no JSON', 'post', 415, () => server.post('x', { headers: { 'content-type': 'text/plain' } })],
    ['a type that is not accepted', 'get', 406, () => server.get('url=http://a.test/', { headers: { accept: 'video/mp4' } })],
    ['a purge without a cache', 'delete', 404, () => server.get('url=http://a.test/', { method: 'DELETE' })],
  ] as const)('%s', async (_, method, status, send) => {
    const response = await send();
    const problem = await response.json();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(codes(status, method)).toContain(problem.code);
    const { required, properties } = server.document.components.schemas.Problem;
    expect(Object.keys(problem)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(problem)));
  });
});
