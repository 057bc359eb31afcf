import type { AnswerDescription, EndpointDescription } from '@platen/server';
import { describeHeaders, headersOf } from './headers.js';
import { compact, type JsonObject } from './json.js';
import { describeErrors } from './problems.js';
import { credentialErrors } from './render-operations.js';

/** A non-render endpoint as an Operation Object, with its own credentials or those of the server. */
export function describeEndpoint(endpoint: EndpointDescription, serverSecurity: readonly JsonObject[]): JsonObject {
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
    responses: { ...failures, ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)])) },
  });
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
