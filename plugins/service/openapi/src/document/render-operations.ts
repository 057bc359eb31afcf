import type { ErrorCode, LoadedPlugin } from '@platen/kernel';
import { headersOf, RENDER_HEADERS } from './headers.js';
import { refTo, type JsonObject } from './json.js';
import { BODY_ERRORS, describeErrors, PLANNING_ERRORS, RENDER_ERRORS } from './problems.js';
import { REQUEST_SCHEMA } from './request-schema.js';
import type { Security } from './security.js';

export interface RenderParts {
  readonly plugins: readonly LoadedPlugin[];
  readonly query: readonly JsonObject[];
  readonly examples: ReadonlyMap<string, JsonObject>;
  readonly security: Security;
  /** Whether the server has a cache. */
  readonly hasCache: boolean;
  /** Of plugins, for `GET /` and `POST /`. */
  readonly added: { readonly parameters: readonly JsonObject[]; readonly responses: JsonObject };
}

const TAG = ['Render'];

/** `GET /`, `POST /` and `DELETE /`. */
export function describeRenders(parts: RenderParts): JsonObject {
  return { get: describeGet(parts), post: describePost(parts), delete: describePurge(parts) };
}

function describeGet({ plugins, query, security, added }: RenderParts): JsonObject {
  return {
    tags: TAG,
    operationId: 'renderByQuery',
    summary: 'Render from query parameters',
    description:
      'Renders `url` into `output_type`. Repeated keys make lists (`cookie=a&cookie=b`, `cookie[]=a` too), a boolean is `true`, `yes`, `on` or `1` in any case, or a key without a value; an empty value means unset. `HEAD` does the same without the body.',
    security: security.bySignature,
    parameters: [...query.map(({ name }) => refTo('parameters', String(name))), ...added.parameters],
    responses: {
      200: describeRendered(plugins),
      ...added.responses,
      304: { description: 'Not modified.', headers: headersOf('ETag', 'X-Request-Id') },
      ...describeErrors([...RENDER_ERRORS, ...credentialErrors(security.bySignature)]),
    },
  };
}

function describePost({ plugins, examples, security, hasCache, added }: RenderParts): JsonObject {
  return {
    tags: TAG,
    operationId: 'renderByBody',
    summary: 'Render from a JSON body',
    description: `The parameters of the query, and those that only a body can have.${hasCache ? ' Always renders; the cache stores the result.' : ''}`,
    security: security.byHeader,
    ...(added.parameters.length === 0 ? {} : { parameters: added.parameters }),
    requestBody: describeBody(examples, { required: true }),
    responses: {
      200: describeRendered(plugins),
      ...added.responses,
      ...describeErrors([...RENDER_ERRORS, ...BODY_ERRORS, ...credentialErrors(security.byHeader)]),
    },
  };
}

function describePurge({ query, security }: RenderParts): JsonObject {
  return {
    tags: TAG,
    operationId: 'purge',
    summary: 'Purge a cached result',
    description:
      'Purges the cached result of exactly these parameters, given in the query or in a JSON body, not in both. Without any parameter it purges everything, which requires a credential of `--server-admin-auth` if the server requires credentials (403 otherwise). The parameters are validated as for a render.',
    security: security.toPurge,
    // No parameters: purges everything.
    parameters: query.map((parameter) =>
      parameter['required'] === true ? { ...parameter, required: false } : refTo('parameters', String(parameter['name'])),
    ),
    requestBody: describeBody(new Map(), { required: false }),
    responses: {
      204: { description: 'Purged.', headers: headersOf('X-Request-Id') },
      ...describeErrors([...PURGE_ERRORS, ...credentialErrors(security.toPurge), ...(security.toPurge.length > 0 ? FORBIDDEN : [])]),
    },
  };
}

const PURGE_ERRORS: readonly ErrorCode[] = [...PLANNING_ERRORS, ...BODY_ERRORS, 'overloaded', 'not_found', 'gone', 'precondition_failed'];

const FORBIDDEN: readonly ErrorCode[] = ['forbidden'];

/** Authentication errors; an invalid signature is `forbidden`. */
export function credentialErrors(requirements: readonly JsonObject[]): readonly ErrorCode[] {
  if (requirements.length === 0) return [];
  return requirements.some((requirement) => 'signature' in requirement) ? ['unauthorized', 'forbidden'] : ['unauthorized'];
}

function describeBody(examples: RenderParts['examples'], { required }: { readonly required: boolean }): JsonObject {
  const shown = [...examples].map(([key, value]) => [key, { summary: key, value }] as const);
  return {
    required,
    content: {
      'application/json': {
        schema: refTo('schemas', REQUEST_SCHEMA),
        ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }),
      },
      ...(required && { 'multipart/form-data': { schema: refTo('schemas', REQUEST_SCHEMA) } }),
    },
  };
}

/** The content types of the enabled plugins, each with its output types. */
function describeRendered(plugins: readonly LoadedPlugin[]): JsonObject {
  const outputs = plugins.flatMap(({ definition }) => definition.outputs ?? []);
  const types = [...new Set(outputs.map(({ contentType }) => contentType))];
  const content = types.map((contentType) => [
    contentType,
    {
      schema: schemaOf(contentType),
      'x-output-types': outputs.filter((output) => output.contentType === contentType).map(({ type }) => type),
    },
  ]);
  return {
    description:
      'The output, in the format of `output_type`. The content type may differ for files that are passed through, and if a parameter disables a part of a format.',
    headers: RENDER_HEADERS,
    content: { ...Object.fromEntries(content), '*/*': { schema: {} } },
  };
}

function schemaOf(contentType: string): JsonObject {
  if (contentType.startsWith('text/')) return { type: 'string' };
  return contentType.startsWith('application/json') ? {} : { type: 'string', contentMediaType: contentType };
}
