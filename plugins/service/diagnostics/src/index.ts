import { definePlugin, NO_ASSETS } from '@platen/kernel';
import type {} from '@platen/server';
import { describeServer } from './report.js';

/** `diagnostics=true` returns information about the server instead of rendering. */
export default definePlugin({
  name: 'diagnostics',
  params: {
    diagnostics: {
      type: 'boolean',
      description: 'Return diagnostic information about the server environment instead of rendering.',
      default: false,
    },
  },
  serve(server) {
    server.hooks.beforeRender.tapPromise('diagnostics', async ({ plan }) => {
      if (plan.params.diagnostics !== true) return undefined;
      const report = await describeServer(server);
      return {
        output: {
          contentType: 'application/json',
          extension: 'json',
          filename: 'diagnostics.json',
          body: Buffer.from(`${JSON.stringify(report, null, 2)}\n`),
        },
        assets: NO_ASSETS,
        headers: { 'Cache-Control': 'no-store' },
        timings: {},
      };
    });
  },
});
