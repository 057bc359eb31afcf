import {
  definePlugin,
  type EncodeContext,
  type EncodedOutput,
  isDiskFull,
  isPlatenError,
  PlatenError,
  TEMPORARY_DISK,
} from '@platen/kernel';
import { createJxlEncoder, JXL_ENCODERS, type JxlEncoder } from '@platen/lib-jxl';
import { FFMPEG } from '@platen/lib-ffmpeg-host';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

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
      captureOptions: { maxPixels: MAX_PIXELS, adjusts: ['image_quality', 'image_lossless', 'image_transparent'] },
    },
  ],
  tools: [JXL_ENCODERS],
  apply({ hooks }) {
    hooks.encode.for('jpegxl').tapPromise('jpegxl', createJpegxlOutput(createJxlEncoder()));
  },
});

export type EncodeJpegxl = (capture: ScreenshotCapture, context: EncodeContext) => Promise<EncodedOutput>;

export function createJpegxlOutput(encoder: JxlEncoder): EncodeJpegxl {
  return async ({ data: png, width, height, quality, lossless }, context) => {
    const { signal } = context;
    // If no plugin provides ffmpeg, or ffmpeg is missing, the other encoders are tried.
    const ffmpeg = await context
      .get(FFMPEG)?.()
      .then(
        ({ path }) => path,
        () => undefined,
      );
    try {
      return { body: await encoder.encode({ png, width, height }, { signal, ffmpeg, quality, lossless }) };
    } catch (cause) {
      signal.throwIfAborted();
      if (isPlatenError(cause)) throw cause;
      const why = isDiskFull(cause) ? `: ${TEMPORARY_DISK} is full` : '';
      throw new PlatenError('encode_failed', `the jpegxl could not be encoded${why}`, { cause });
    }
  };
}
