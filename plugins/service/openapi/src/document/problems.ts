import { ERRORS, isRetryable, type ErrorCode } from '@platen/kernel';
import { describeHeaders, headersOf } from './headers.js';
import { refTo, type JsonObject } from './json.js';

/** Errors that any request can get. */
const ANYWHERE: readonly ErrorCode[] = [
  'malformed_request',
  'origin_refused',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'plugin_failed',
  'internal',
];

/** Errors of requests with a body. */
export const BODY_ERRORS: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** Errors of parameter validation, before a render. */
export const PLANNING_ERRORS: readonly ErrorCode[] = ['invalid_parameters', 'license_required'];

/** Errors of other endpoints, of authentication, and of unknown endpoints. */
const NOT_OF_RENDERS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...ANYWHERE,
  ...BODY_ERRORS,
  'unauthorized',
  'forbidden',
  'not_found',
  'gone',
  'method_not_allowed',
  'range_not_satisfiable',
]);

/** Codes that a response can have: not startup errors, nor those of disconnected clients. */
const ANSWERED_CODES: readonly ErrorCode[] = listCodes().filter((code) => !code.startsWith('boot_') && code !== 'client_closed');

/** All errors of renders, including codes added to the table later. */
export const RENDER_ERRORS: readonly ErrorCode[] = ANSWERED_CODES.filter((code) => !NOT_OF_RENDERS.has(code));

function listCodes(): readonly ErrorCode[] {
  // `Object.keys` forgets which keys the table has.
  return Object.keys(ERRORS) as ErrorCode[];
}

/** Error responses by status, each with its possible codes. */
export function describeErrors(codes: Iterable<ErrorCode>): JsonObject {
  const all = [...new Set([...ANYWHERE, ...codes])];
  const statuses = [...new Set(all.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      describeProblem(
        status,
        all.filter((code) => ERRORS[code].status === status),
      ),
    ]),
  );
}

function describeProblem(status: number, codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`).join(' · '),
    headers: {
      ...headersOf('X-Request-Id'),
      ...(status === 401 ? describeHeaders({ 'WWW-Authenticate': 'The required credentials.' }) : {}),
      ...(status === 429 || status === 503 ? headersOf('Retry-After') : {}),
      ...(status === 416 ? headersOf('Content-Range') : {}),
      ...(codes.some((code) => LEAVES_ASSETS.has(code)) ? headersOf('Link', 'X-Missing-Assets') : {}),
    },
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            refTo('schemas', 'Problem'),
            { type: 'object', properties: { code: { type: 'string', enum: codes }, status: { type: 'integer', const: status } } },
          ],
        },
        example: exampleOf(codes[0] ?? 'internal'),
      },
    },
  };
}

/** Errors after the page was opened: the response links to the assets collected by then. */
const LEAVES_ASSETS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'target_status',
  'target_unreachable',
  'proxy_failed',
  'render_timeout',
  'selector_not_found',
  'selector_empty',
  'selection_empty',
  'page_unreadable',
  'page_unstable',
  'capture_too_large',
  'target_not_page',
  'goal_not_reached',
  'page_crashed',
  'llm_upstream',
  'llm_output_invalid',
  'page_too_heavy',
  'script_failed',
  'step_failed',
]);

function exampleOf(code: ErrorCode): JsonObject {
  const detail =
    code === 'invalid_parameters' ? 'unknown parameter "fullpage": did you mean "full_page"?' : ERRORS[code].title.toLowerCase();
  return {
    type: `urn:platen:problem:${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    detail,
    instance: '5f0c1d3e-8a53-4d0c-9a52-5d8f1f0e7c11',
    code,
    retryable: isRetryable(code),
    ...(code === 'invalid_parameters' ? { errors: [{ parameter: 'fullpage', detail }] } : {}),
  };
}

/** The document of every error (RFC 9457, with Platen's members). */
export const PROBLEM_SCHEMA: JsonObject = {
  type: 'object',
  description: 'Body of every error response (RFC 9457). `code` is stable: programs should test it.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'retryable'],
  properties: {
    type: { type: 'string', description: '`urn:platen:problem:` and the code.' },
    title: { type: 'string', description: 'Meaning of the code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'What failed, and the valid values.' },
    instance: { type: 'string', description: 'Request id, as in `X-Request-Id` and in the log.' },
    code: { type: 'string', enum: ANSWERED_CODES },
    retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
    errors: {
      type: 'array',
      description: 'The invalid parameters.',
      items: {
        type: 'object',
        required: ['parameter', 'detail'],
        properties: { parameter: { type: 'string' }, detail: { type: 'string' } },
      },
    },
    target: {
      type: 'object',
      description: 'Response of the target.',
      required: ['url'],
      properties: {
        url: { type: 'string' },
        status: { type: 'integer' },
        net_error: { type: 'string', description: 'Network error name of Chromium.' },
        download: { type: 'boolean', description: 'Whether the response is a file download.' },
      },
    },
    phase: { type: 'string', description: 'Phase in which the timeout expired.' },
    unmet: { type: 'string', description: 'Conditions that were not met.' },
    report: {
      type: 'object',
      description:
        'What was done until the failure: of `goal_not_reached`, the steps of the navigator; of `step_failed`, the step and what the page showed.',
    },
    assets: {
      type: 'array',
      description: 'Additional assets of the failed render, as in `Link`.',
      items: {
        type: 'object',
        required: ['name', 'url', 'content_type', 'bytes'],
        properties: {
          name: { type: 'string' },
          url: { type: 'string' },
          content_type: { type: 'string' },
          bytes: { type: 'integer' },
        },
      },
    },
    missing_assets: {
      type: 'array',
      description: 'Requested assets that could not be made, each with the reason.',
      items: { type: 'object', required: ['name', 'reason'], properties: { name: { type: 'string' }, reason: { type: 'string' } } },
    },
  },
};
