import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { ERRORS, definePlugin } from '@platen/kernel';
import { searchTermsOf } from '@platen/schema';
import type {} from '@platen/server';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASIC, openDocumented, SIGNED, TOKEN, type Document, type DocumentedServer } from './open-documented.js';

let plain: DocumentedServer;
let document: Document;
const open: AsyncDisposable[] = [];

beforeAll(async () => {
  plain = await openDocumented();
  document = plain.document;
});

afterAll(async () => {
  for (const server of [plain, ...open]) await server[Symbol.asyncDispose]();
});

async function documented(options: Parameters<typeof openDocumented>[0]): Promise<Document> {
  const server = await openDocumented(options);
  open.push(server);
  return server.document;
}

const METHODS = ['get', 'post', 'delete'];
const operations = (of: Document): [string, Document][] =>
  Object.entries<Document>(of.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method): [string, Document] => [`${method.toUpperCase()} ${path}`, item[method]]),
  );
const list = (of: unknown): readonly Document[] => (Array.isArray(of) ? of : []);
const codesOf = (response: Document): string[] =>
  list(response?.content?.['application/problem+json']?.schema.allOf).flatMap((part): string[] => part.properties?.code?.enum ?? []);

async function lint(of: Document): Promise<readonly string[]> {
  const problems = await lintDocument({
    document: makeDocumentFromString(JSON.stringify(of), '/openapi.json'),
    externalRefResolver: new BaseResolver(),
    config: await createConfig({ extends: ['recommended-strict'] }),
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}

describe('the document is valid', () => {
  const METRICS = definePlugin({
    name: 'guest',
    serve({ hooks }) {
      hooks.describe.tap('guest', (description) => ({
        ...description,
        endpoints: [
          ...description.endpoints,
          {
            method: 'get',
            path: '/guest/{id}',
            summary: 'A guest',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            answers: {
              200: { description: 'The guest.', content: { 'text/plain': { type: 'string' } }, headers: { 'X-Guest': 'Its name.' } },
            },
            errors: ['not_found'],
            credentials: { guestbook: { type: 'http', scheme: 'basic' } },
          },
        ],
      }));
    },
  });
  const SECRETS = { 'server-token-auth': ['canary-t'], 'server-signed-url': ['canary-s'] };
  const rich = () => documented({ more: [TOKEN, SIGNED, METRICS], flags: SECRETS, headers: { authorization: 'Bearer yes' } });

  it("by Redocly's strictest rules", async () => {
    expect(await lint(document)).toEqual([]);
    expect(await lint(await rich())).toEqual([]);
  });

  it('by the schema of OpenAPI 3.1', async () => {
    for (const each of [document, await rich()]) expect(await new Validator().validate(each)).toMatchObject({ valid: true });
  });

  it('and the rules can say no', async () => {
    const broken = structuredClone(document);
    delete broken.paths['/'].get.responses['200'].description;
    expect(await lint(broken)).not.toEqual([]);
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('holds no secret', async () => {
    expect(JSON.stringify(await rich())).not.toContain('canary');
  });

  it('tells of the endpoints that other plugins describe, with their own credentials and headers', async () => {
    const guest = (await rich()).paths['/guest/{id}'].get;
    expect(guest.security).toEqual([{ guestbook: [] }]);
    expect(Object.keys(guest.responses)).toEqual(expect.arrayContaining(['200', '401', '404', '500']));
    expect(guest.responses[200].headers['X-Guest'].description).toBe('Its name.');
  });
});

describe('what it is', () => {
  it('is OpenAPI 3.1 of the interface version 0.49.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info.version).toBe('0.49.1');
  });

  it('the body of POST is the published request schema', () => {
    const { $schema, version, properties, ...rest } = plain.kernel.schema.document;
    const { properties: shown, 'x-version': label, $schema: dialect, ...others } = document.components.schemas.HttpRequestParams;
    expect([dialect, label]).toEqual([$schema, version]);
    expect(others).toEqual(JSON.parse(JSON.stringify(rest)));
    const bare = Object.entries<Document>(shown).map(
      ([key, { 'x-section': section, 'x-search': terms, 'x-default': fallback, ...property }]) => {
        expect(section, key).toMatch(/\S/);
        expect(terms, key).toEqual(searchTermsOf(plain.kernel.schema.keys.get(key)?.fragment ?? {}));
        // Generators of clients make properties with a default required.
        expect(property, key).not.toHaveProperty('default');
        return [key, { ...property, ...(fallback === undefined ? {} : { default: fallback }) }];
      },
    );
    expect(Object.fromEntries(bare)).toEqual(JSON.parse(JSON.stringify(properties)));
    expect(document.paths['/'].post.requestBody.content['application/json'].schema.$ref).toBe('#/components/schemas/HttpRequestParams');
  });

  it('every key has a description, a tier, its default and its bounds, also as a query parameter unless only bodies may have it', () => {
    for (const [key, { fragment, tier }] of plain.kernel.schema.keys) {
      const parameter = document.components.parameters[key];
      if (parameter === undefined && fragment['x-sources']?.includes('query') === false) continue;
      expect(parameter.description, key).toMatch(/\w{3}/);
      expect([parameter['x-tier'], parameter.schema.default], key).toEqual([tier, fragment.default]);
      // The rule no-schema-type-mismatch of newer linters.
      if (![parameter.schema.type].flat().includes('object')) expect(parameter.schema, key).not.toHaveProperty('properties');
      for (const bound of ['minimum', 'exclusiveMinimum', 'minLength', 'maxLength', 'pattern'] as const) {
        if (fragment[bound] !== undefined) expect(parameter.schema[bound], `${key} ${bound}`).toEqual(fragment[bound]);
      }
    }
  });

  it('every key has an example', () => {
    const examples = document.paths['/'].post.requestBody.content['application/json'].examples;
    expect(Object.keys(examples).sort()).toEqual([...plain.kernel.schema.keys.keys()].sort());
  });

  it('every query parameter has an example of its own, which its schema takes', () => {
    for (const [key, { schema, example }] of Object.entries<Document>(document.components.parameters)) {
      expect(example, key).toBeDefined();
      expect(new Ajv2020({ strict: false, validateFormats: false }).validate(schema, example), key).toBe(true);
    }
  });

  it('speaks of a cache only where there is one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const cached = await documented({ flags: { 'server-cache': folder } });
    expect(cached.paths['/'].post.description).toContain('Always renders; the cache stores the result');
    await rm(folder, { recursive: true });
    expect(document.paths['/'].post.description).not.toContain('cache');
  });

  it('a query has lists as repeated keys, booleans that may stand alone, and neither null nor objects', () => {
    const { cookie, full_page, with_storage } = document.components.parameters;
    expect(cookie).toMatchObject({ style: 'form', explode: true, schema: { type: 'array', items: { type: 'string' } } });
    expect(full_page).toMatchObject({ allowEmptyValue: true, schema: { type: 'boolean' } });
    expect(with_storage.schema.type).toBe('boolean');
    const schemas = Object.values<Document>(document.components.parameters).map(({ schema }) => schema);
    expect(schemas.flatMap(({ type }) => type)).not.toContain('null');
    expect(schemas.flatMap(({ enum: values = [] }) => values)).not.toContain(null);
  });

  it('a key that only a body may give is no query parameter', async () => {
    const plugin = definePlugin({
      name: 'guest',
      params: {
        guest_data: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Data.',
          'x-sources': ['body', 'mcp'],
          examples: [{ a: 'b' }],
        },
        guest_list: { type: 'array', items: { type: 'string' }, 'x-single': true, description: 'One or several.', examples: [['a']] },
      },
    });
    const { components, paths } = await documented({ more: [plugin] });
    expect(components.parameters.guest_data).toBeUndefined();
    expect(components.schemas.HttpRequestParams.properties.guest_data.type).toEqual(['object', 'null']);
    expect(paths['/'].post.requestBody.content['application/json'].examples.guest_data.value.guest_data).toEqual({ a: 'b' });
    expect(components.parameters.guest_list).toMatchObject({ explode: true, schema: { type: 'array' } });
  });

  it('an answer of a render may have the content type of each enabled output, and the headers of a render', () => {
    const outputs = plain.kernel.plugins.flatMap(({ definition }) => definition.outputs ?? []);
    for (const method of ['get', 'post']) {
      const { content, headers } = document.paths['/'][method].responses[200];
      for (const { contentType, type } of outputs) expect(content[contentType]['x-output-types']).toContain(type);
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining([
          ...['Link', 'Server-Timing', 'X-Request-Id', 'X-Missing-Assets', 'Cache-Status', 'Content-Disposition', 'X-Target-Status'],
        ]),
      );
    }
  });

  it('only the plugins that are on are in it', () => {
    expect(list(document['x-outputs']).map(({ type }) => type)).toEqual(
      expect.arrayContaining(plain.kernel.plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type))),
    );
  });
});

describe('errors', () => {
  it('every code that may leave the server is in the problem schema, and those of the start are not', () => {
    const codes = Object.keys(ERRORS).filter((code) => !code.startsWith('boot_') && code !== 'client_closed');
    expect(document.components.schemas.Problem.properties.code.enum).toEqual(codes);
  });

  it('each status of each endpoint names the codes that have it', () => {
    for (const [name, { responses }] of operations(document)) {
      for (const [status, response] of Object.entries<Document>(responses)) {
        for (const code of codesOf(response))
          expect(`${name} ${code} ${ERRORS[code as keyof typeof ERRORS].status}`).toBe(`${name} ${code} ${status}`);
      }
    }
  });

  it.each([
    [
      'GET /',
      [
        ...['invalid_parameters', 'target_blocked', 'not_acceptable', 'selector_not_found', 'too_many_requests', 'feature_unavailable'],
        ...['target_status', 'browser_unavailable', 'render_timeout'],
      ],
      ['payload_too_large', 'gone', 'unauthorized'],
    ],
    ['POST /', ['invalid_parameters', 'payload_too_large', 'unsupported_media_type', 'render_timeout'], ['gone', 'unauthorized']],
    ['DELETE /', ['overloaded', 'invalid_parameters', 'not_found', 'gone'], ['render_timeout', 'target_status', 'unauthorized']],
    [
      'GET /assets',
      ['invalid_parameters', 'not_found', 'gone', 'precondition_failed', 'range_not_satisfiable'],
      ['render_timeout', 'target_status'],
    ],
    ['GET /status', ['internal'], ['invalid_parameters', 'render_timeout', 'unauthorized']],
  ])('%s answers its own codes and no others', (name, has, hasNot) => {
    const [, { responses }] = operations(document).find(([each]) => each === name) ?? [];
    const codes = Object.values<Document>(responses).flatMap(codesOf);
    expect(codes).toEqual(expect.arrayContaining(has));
    for (const code of hasNot) expect(codes).not.toContain(code);
  });

  it('a refusal that says when to come again has Retry-After', () => {
    const { responses } = document.paths['/'].get;
    expect(responses[429].headers['Retry-After']).toBeDefined();
    expect(responses[503].headers['Retry-After']).toBeDefined();
    expect(responses[400].headers['Retry-After']).toBeUndefined();
  });
});

describe('credentials', () => {
  const T = [{ token: [] }];
  const B = [{ basic: [] }];
  const S = [{ signature: [], expires: [] }];
  it.each([
    ['none', {}, [], []],
    ['Basic', { 'server-basic-auth': ['me:pw'] }, B, B],
    ['token', { 'server-token-auth': ['yes'] }, T, T],
    ['both: only the token authorizes', { 'server-token-auth': ['yes'], 'server-basic-auth': ['me:pw'] }, T, T],
    ['signatures: POST is let in', { 'server-signed-url': ['s'] }, [], S],
    ['token and signatures', { 'server-token-auth': ['yes'], 'server-signed-url': ['s'] }, T, [...T, ...S]],
  ])('%s', async (_, flags, byHeader, bySignature) => {
    const authorization = 'server-token-auth' in flags ? 'Bearer yes' : `Basic ${btoa('me:pw')}`;
    // Played: the token is asked for first, as by the plugin's own stage.
    const more = 'server-token-auth' in flags ? [TOKEN, { ...BASIC, serve: () => undefined }, SIGNED] : [BASIC, TOKEN, SIGNED];
    const server = await openDocumented({ more, flags, headers: { authorization } });
    open.push(server);
    const { paths, components } = server.document;
    expect(paths['/'].post.security).toEqual(byHeader);
    expect(paths['/openapi.json'].get.security).toEqual(byHeader);
    for (const operation of [paths['/'].get, paths['/'].delete, paths['/assets'].get]) expect(operation.security).toEqual(bySignature);
    expect(paths['/status'].get.security).toEqual([]);
    const isOpen = 'server-token-auth' in flags;
    for (const path of ['/docs', '/playground']) {
      expect(paths[path].get.security, path).toEqual(isOpen ? [] : byHeader);
      const statusOf = async (headers: HeadersInit) => (await fetch(`${server.url}${path}`, { headers })).status;
      expect([await statusOf({}), await statusOf({ authorization: 'Bearer wrong' })]).toEqual(
        byHeader.length === 0 ? [200, 200] : [isOpen ? 200 : 401, 401],
      );
      expect('401' in paths[path].get.responses).toBe(byHeader.length > 0);
    }
    const named = [...new Set([...byHeader, ...bySignature].flatMap((way) => Object.keys(way)))].sort();
    expect(Object.keys(components.securitySchemes).sort()).toEqual(named);
    expect('401' in paths['/'].post.responses).toBe(byHeader.length > 0);
  });
});
