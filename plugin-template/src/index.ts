import { definePlugin, invalidParameter } from 'platen/kernel';
import { encodePpm } from './encode-ppm.js';

/** Output type `ppm`: the page's screenshot as a portable pixmap, binary or, with `ppm_plain`, as text. */
export default definePlugin({
  name: 'ppm',
  requires: ['screenshot'],
  outputs: [{ type: 'ppm', from: 'screenshot', contentType: 'image/x-portable-pixmap', extension: 'ppm' }],
  params: {
    ppm_plain: {
      type: 'boolean',
      description: 'Write the plain form (P3, decimal numbers) instead of the binary one (P6).',
      default: false,
      examples: [true],
    },
  },
  planFor: { param: 'ppm_plain' },
  plan({ output }) {
    if (output.type === 'ppm') return;
    throw invalidParameter('ppm_plain', '"ppm_plain" requires "output_type" "ppm"');
  },
  apply({ hooks }) {
    hooks.encode.for('ppm').tapPromise('ppm', async (capture, { params, signal }) => ({
      body: await encodePpm(capture, params.ppm_plain === true ? 'plain' : 'binary', signal),
    }));
  },
});
