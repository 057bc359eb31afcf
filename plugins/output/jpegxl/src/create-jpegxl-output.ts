import { isPlatenError, PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import type { JxlEncoder } from '@platen/lib-jxl';
import type { PixelCapture } from '@platen/plugin-pixels';

export type EncodeJpegxl = (capture: PixelCapture, context: EncodeContext) => Promise<Output>;

export function createJpegxlOutput(encoder: JxlEncoder): EncodeJpegxl {
  return async ({ data: png, width, height }, { signal }) => {
    try {
      return { contentType: 'image/jxl', extension: 'jxl', body: await encoder.encode({ png, width, height }, signal) };
    } catch (cause) {
      signal.throwIfAborted();
      if (isPlatenError(cause)) throw cause;
      throw new PlatenError('encode_failed', 'the jpegxl could not be encoded', { cause });
    }
  };
}
