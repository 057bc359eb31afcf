import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { describeEndpoint } from './describe-endpoint.js';
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
