import type { ServerApi } from '@platen/kernel';
import type { EndpointDescription } from '@platen/server';
import { describeEndpoint } from './describe-endpoint.js';
import { findExamples } from './examples.js';
import { HEADER_COMPONENTS } from './headers.js';
import type { JsonObject } from './json.js';
import { ASSETS, listOwnEndpoints } from './own-endpoints.js';
import { PROBLEM_SCHEMA } from './problems.js';
import { describeRenders } from './render-operations.js';
import { describeQuery, describeRequest, REQUEST_SCHEMA } from './request-schema.js';
import { createSections, orderSections } from './sections.js';
import { asksForToken, readSecurity, type Security } from './security.js';

export type DocumentParts = Pick<ServerApi, 'kernel' | 'isGiven' | 'describe'>;

/** The OpenAPI 3.1 document of the server as it is: its plugins' keys, outputs and endpoints, and the credentials that it asks for. */
export function buildDocument(server: DocumentParts, { pages }: { readonly pages: boolean }): JsonObject {
  const { schema, plugins, version } = server.kernel;
  const sectionOf = createSections(plugins);
  const query = describeQuery(schema);
  const security = readSecurity(server);
  const examples = findExamples({ schema, plugins, accepts: (params) => isAccepted(server, params) });
  const hasCache = server.isGiven('server-cache');
  const endpoints = [...listOwnEndpoints({ pages, isOpen: asksForToken(server) }), ...server.describe().endpoints];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      summary: 'Renders web pages.',
      description: `A URL goes in; what \`output_type\` says comes out. This is the server as it is: with its plugins, version ${version}.`,
      version: schema.document.version,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Render', description: 'A page into one of many formats.' },
      { name: 'Server', description: 'What stands beside the renders.' },
    ],
    paths: { '/': describeRenders({ plugins, query, examples, security, hasCache }), ...describePaths(endpoints, security) },
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

function listOutputs({ kernel: { plugins } }: DocumentParts): readonly JsonObject[] {
  return plugins.flatMap(({ definition: { name, tier = 'free', outputs = [] } }) =>
    outputs.map(({ type, contentType, extension }) => ({ type, content_type: contentType, extension, plugin: name, tier })),
  );
}

function isAccepted({ kernel }: DocumentParts, params: JsonObject): boolean {
  try {
    kernel.plan(kernel.validate(params, 'body'));
    return true;
  } catch {
    return false;
  }
}
