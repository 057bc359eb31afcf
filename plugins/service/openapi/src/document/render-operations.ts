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
  /** Whether there is one: without it there is nothing to say of it. */
  readonly hasCache: boolean;
}

const TAG = ['Render'];

/** `GET /`, `POST /` and `DELETE /`. */
export function describeRenders(parts: RenderParts): JsonObject {
  const { plugins, query, examples, security, hasCache } = parts;
  const names = query.map(({ name }) => refTo('parameters', String(name)));
  const answers = {
    200: describeRendered(plugins),
    304: { description: "The client's copy still holds.", headers: headersOf('ETag', 'X-Request-Id') },
  };
  return {
    get: {
      tags: TAG,
      operationId: 'renderByQuery',
      summary: 'Render from query parameters',
      description:
        'Renders `url` into `output_type`. Repeated keys make lists (`cookie=a&cookie=b`, `cookie[]=a` too), a boolean that stands alone is true, an empty value means unset. `HEAD` does the same without the body.',
      security: security.bySignature,
      parameters: names,
      responses: { ...answers, ...describeErrors([...RENDER_ERRORS, ...credentialErrors(security.bySignature)]) },
    },
    post: {
      tags: TAG,
      operationId: 'renderByBody',
      summary: 'Render from a JSON body',
      description: `The same keys as in the query, and those that a body alone may have.${hasCache ? ' The cache does not answer it, and keeps what it made.' : ''}`,
      security: security.byHeader,
      requestBody: describeBody(examples, { required: true }),
      responses: { 200: answers[200], ...describeErrors([...RENDER_ERRORS, ...BODY_ERRORS, ...credentialErrors(security.byHeader)]) },
    },
    delete: {
      tags: TAG,
      operationId: 'purge',
      summary: 'Purge a cached result',
      description:
        'Forgets what the cache keeps of exactly this parameter set, given in the query or in a JSON body, not in both; without any parameter it forgets everything, which takes the credential of `--server-admin-auth` where the server asks for any (403 otherwise). The parameters are checked as for a render.',
      security: security.toPurge,
      // Without any parameter everything is purged.
      parameters: query.map((parameter) =>
        parameter['required'] === true ? { ...parameter, required: false } : refTo('parameters', String(parameter['name'])),
      ),
      requestBody: describeBody(new Map(), { required: false }),
      responses: {
        204: { description: 'It is forgotten.', headers: headersOf('X-Request-Id') },
        ...describeErrors([...PURGE_ERRORS, ...credentialErrors(security.toPurge), ...(security.toPurge.length > 0 ? FORBIDDEN : [])]),
      },
    },
  };
}

const PURGE_ERRORS: readonly ErrorCode[] = [...PLANNING_ERRORS, ...BODY_ERRORS, 'overloaded', 'not_found', 'gone', 'precondition_failed'];

const FORBIDDEN: readonly ErrorCode[] = ['forbidden'];

/** What credentials may fail with; a signature may be wrong in ways that are no missing credential. */
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
    },
  };
}

/** One content type for each that an enabled plugin renders into, with the output types that have it. */
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
      'The output, in the format of `output_type`. A file that is passed on, or a part of a format that a key switches off, may have another type.',
    headers: RENDER_HEADERS,
    content: { ...Object.fromEntries(content), '*/*': { schema: {} } },
  };
}

function schemaOf(contentType: string): JsonObject {
  if (contentType.startsWith('text/')) return { type: 'string' };
  return contentType.startsWith('application/json') ? {} : { type: 'string', contentMediaType: contentType };
}
