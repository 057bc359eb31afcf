import { definePlugin } from '@platen/kernel';
import { createJxlEncoder, JXL_ENCODERS } from '@platen/lib-jxl';
import { createJpegxlOutput } from './create-jpegxl-output.js';

/** The encoder uses some 45 bytes per pixel: 3 GB here. */
const MAX_PIXELS = 2 ** 26;

export default definePlugin({
  name: 'jpegxl',
  requires: ['screenshot'],
  outputs: [
    {
      type: 'jpegxl',
      from: 'screenshot',
      contentType: 'image/jxl',
      extension: 'jxl',
      aliases: ['jxl'],
      captureOptions: { maxPixels: MAX_PIXELS },
    },
  ],
  tools: [JXL_ENCODERS],
  apply({ hooks }) {
    hooks.encode.for('jpegxl').tapPromise('jpegxl', createJpegxlOutput(createJxlEncoder()));
  },
});
