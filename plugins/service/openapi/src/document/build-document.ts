import type { ServerApi } from '@platen/kernel';
import type { AnswerDescription, EndpointDescription } from '@platen/server';
import { findExamples } from './examples.js';
import { describeHeaders, HEADER_COMPONENTS, headersOf } from './headers.js';
import { compact, type JsonObject } from './json.js';
import { ASSETS, listOwnEndpoints } from './own-endpoints.js';
import { describeErrors, PROBLEM_SCHEMA } from './problems.js';
import { credentialErrors, describeRenders } from './render-operations.js';
import { describeQuery, describeRequest, REQUEST_SCHEMA } from './request-schema.js';
import { createSections, orderSections } from './sections.js';
import { asksForToken, readSecurity, type Security } from './security.js';

export type DocumentParts = Pick<ServerApi, 'kernel' | 'isGiven' | 'describe'>;

/** The OpenAPI 3.1 document of the running server: parameters, outputs and endpoints of its plugins, and required credentials. */
export function buildDocument(server: DocumentParts, { pages }: { readonly pages: boolean }): JsonObject {
  const { schema, plugins, version } = server.kernel;
  const sectionOf = createSections(plugins);
  const query = describeQuery(schema);
  const security = readSecurity(server);
  const examples = findExamples({ schema, plugins, accepts: (params) => isAccepted(server, params) });
  const hasCache = server.isGiven('server-cache');
  const described = server.describe();
  const endpoints = [...listOwnEndpoints({ pages, isOpen: asksForToken(server) }), ...described.endpoints];
  const added = { parameters: described.renders.parameters, responses: describeAnswers(described.renders.answers) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      summary: 'Renders web pages.',
      description: `Renders a URL into the format of \`output_type\`. Describes this server with its plugins, version ${version}.`,
      version: schema.document.version,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Render', description: 'Render a page into one of many formats.' },
      { name: 'Server', description: 'Status, assets and documentation.' },
    ],
    paths: { '/': describeRenders({ plugins, query, examples, security, hasCache, added }), ...describePaths(endpoints, security) },
    components: {
      schemas: { [REQUEST_SCHEMA]: describeRequest(schema, sectionOf), Problem: PROBLEM_SCHEMA },
      parameters: Object.fromEntries(query.map((parameter) => [String(parameter['name']), parameter])),
      headers: HEADER_COMPONENTS,
      securitySchemes: {
        ...Object.fromEntries(endpoints.flatMap(({ credentials = {} }) => Object.entries(credentials))),
        ...security.schemes,
      },
    },
    'x-sections': orderSections([...schema.keys].map(([key, { owner }]) => sectionOf(key, owner))),
    'x-outputs': listOutputs(server),
  };
}

function describePaths(endpoints: readonly EndpointDescription[], { byHeader, bySignature }: Security): JsonObject {
  const paths = new Map<string, JsonObject>();
  for (const endpoint of endpoints) {
    const operation = describeEndpoint(endpoint, endpoint === ASSETS ? bySignature : byHeader);
    paths.set(endpoint.path, { ...paths.get(endpoint.path), [endpoint.method]: operation });
  }
  return Object.fromEntries(paths);
}

/** The most used output types; all others follow in the order of their plugins. */
const COMMON = [
  'png',
  'jpg',
  'webp',
  'pdf',
  'markdown',
  'html',
  'txt',
  'mp4',
  'webm',
  'gif',
  'json',
  'jsonl',
  'har',
  'wacz',
  'warc',
  'mhtml',
];

function listOutputs({ kernel: { plugins } }: DocumentParts): readonly JsonObject[] {
  const rank = ({ type }: { readonly type: string }) => [...COMMON, type].indexOf(type);
  return plugins
    .flatMap(({ definition: { name, tier = 'free', outputs = [] } }) =>
      outputs.map(({ type, contentType, extension }) => ({ type, content_type: contentType, extension, plugin: name, tier })),
    )
    .sort((a, b) => rank(a) - rank(b));
}

function isAccepted({ kernel }: DocumentParts, params: JsonObject): boolean {
  try {
    kernel.plan(kernel.validate(params, 'body'));
    return true;
  } catch {
    return false;
  }
}

/** A non-render endpoint as an Operation Object, with its own credentials or those of the server. */
function describeEndpoint(endpoint: EndpointDescription, serverSecurity: readonly JsonObject[]): JsonObject {
  const { method, path, summary, description, parameters, body, answers, errors = [], credentials } = endpoint;
  const security = credentials === undefined ? serverSecurity : Object.keys(credentials).map((name) => ({ [name]: [] }));
  const failures = describeErrors([...errors, ...credentialErrors(security)]);
  return compact({
    tags: ['Server'],
    operationId: nameOperation(method, path),
    summary,
    description,
    security,
    parameters,
    requestBody: body === undefined ? undefined : { content: describeContent(body) },
    // Descriptions of the endpoint take precedence over the table of errors.
    responses: { ...failures, ...describeAnswers(answers) },
  });
}

function describeAnswers(answers: EndpointDescription['answers']): JsonObject {
  return Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)]));
}

function describeAnswer({ description, content, headers = {} }: AnswerDescription): JsonObject {
  return compact({
    description,
    headers: { ...headersOf('X-Request-Id'), ...describeHeaders(headers) },
    content: content === undefined ? undefined : describeContent(content),
  });
}

function describeContent(schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([contentType, schema]) => [contentType, { schema }]));
}

/** `getOpenapiJson` */
function nameOperation(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
