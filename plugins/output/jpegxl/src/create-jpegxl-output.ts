import { isDiskFull, isPlatenError, PlatenError, TEMPORARY_DISK, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { FFMPEG } from '@platen/lib-ffmpeg-host';
import type { JxlEncoder } from '@platen/lib-jxl';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

export type EncodeJpegxl = (capture: ScreenshotCapture, context: EncodeContext) => Promise<EncodedOutput>;

export function createJpegxlOutput(encoder: JxlEncoder): EncodeJpegxl {
  return async ({ data: png, width, height }, context) => {
    const { signal } = context;
    // If no plugin provides ffmpeg, or ffmpeg is missing, the other encoders are tried.
    const ffmpeg = await context
      .get(FFMPEG)?.()
      .then(
        ({ path }) => path,
        () => undefined,
      );
    try {
      return { body: await encoder.encode({ png, width, height }, { signal, ffmpeg }) };
    } catch (cause) {
      signal.throwIfAborted();
      if (isPlatenError(cause)) throw cause;
      const why = isDiskFull(cause) ? `: ${TEMPORARY_DISK} is full` : '';
      throw new PlatenError('encode_failed', `the jpegxl could not be encoded${why}`, { cause });
    }
  };
}
