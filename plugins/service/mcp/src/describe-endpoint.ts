import type { EndpointDescription } from '@platen/server';

const MESSAGE = { type: 'object', description: 'A JSON-RPC 2.0 message.' };

/** `POST /mcp` in the OpenAPI document. */
export function describeEndpoint(path: string): EndpointDescription {
  return {
    method: 'post',
    path,
    summary: 'Model Context Protocol',
    description:
      'Streamable HTTP without sessions: one JSON-RPC message per request. `tools/list` lists the tools, which render as `POST /` does. Invalid messages are JSON-RPC errors; a failed render is a result with `isError`.',
    body: { 'application/json': MESSAGE },
    answers: {
      200: {
        description: 'The response, after notifications of progress if the client has asked for them.',
        content: { 'text/event-stream': { type: 'string' }, 'application/json': MESSAGE },
      },
      202: { description: 'A notification was accepted.' },
    },
    errors: ['malformed_request', 'payload_too_large', 'unsupported_media_type'],
  };
}
