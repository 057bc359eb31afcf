import { definePlugin } from '@platen/kernel';
import type { EndpointDescription } from '@platen/server';
import type { HttpEndpoint } from './http-endpoint.js';
import { STDIO_COMMAND } from './stdio-command.js';

const NAME = 'mcp';
const FLAG = 'server-enable-mcp';
const PATH = '/mcp';

/** Serves the Model Context Protocol: at /mcp, and over stdio by `platen mcp`. */
export default definePlugin({
  name: NAME,
  flags: {
    [FLAG]: {
      type: 'boolean',
      description: 'Serve the Model Context Protocol (Streamable HTTP) at /mcp.',
      default: false,
      'x-paths': [PATH],
    },
  },
  commands: [STDIO_COMMAND],
  serve(server, { options, log }) {
    if (options[FLAG] !== true) return;
    let endpoint: HttpEndpoint | undefined;
    server.hooks.start.tapPromise(NAME, async () => {
      // Imported only here: loading the SDK takes time.
      const { createHttpEndpoint } = await import('./http-endpoint.js');
      endpoint = createHttpEndpoint(server, log);
    });
    server.hooks.routes.tap(NAME, (router) => {
      router.post(PATH, async (ctx) => {
        await endpoint?.answer(ctx);
      });
    });
    server.hooks.describe.tap(NAME, ({ endpoints, ...rest }) => ({ ...rest, endpoints: [...endpoints, describeEndpoint(PATH)] }));
    server.hooks.stop.tapPromise(NAME, async () => {
      await endpoint?.close();
    });
  },
});

const MESSAGE = { type: 'object', description: 'A JSON-RPC 2.0 message.' };

/** `POST /mcp` in the OpenAPI document. */
function describeEndpoint(path: string): EndpointDescription {
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
