import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { encodeSlots } from './encode-slots.js';
import { loadSharp, MAX_INPUT_PIXELS } from './load-sharp.js';

/** An image as raw samples: rows from the top, no padding. Sizes in pixels. */
export interface RasterPixels {
  /** 8 bits per sample. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** Samples per pixel: red, green, blue and, if there are four, alpha, which is opaque. */
  readonly channels: 3 | 4;
}

export interface DecodeOptions {
  /** Default 3. */
  readonly channels?: 3 | 4;
  /** Stops reading a stream and waiting for a free decoder; a decoder that already runs finishes. */
  readonly signal?: AbortSignal;
}

/** Decodes an image off the event loop, transparency on white. For formats that sharp cannot write. */
export async function decodeRaster(source: Buffer | Readable, { channels = 3, signal }: DecodeOptions = {}): Promise<RasterPixels> {
  const sharp = await loadSharp();
  const encoded = Buffer.isBuffer(source) ? source : await buffer(signal === undefined ? source : addAbortSignal(signal, source));
  return encodeSlots.run(async () => {
    const image = sharp(encoded, { limitInputPixels: MAX_INPUT_PIXELS }).flatten({ background: 'white' }).toColourspace('srgb');
    const samples = channels === 4 ? image.ensureAlpha() : image;
    const { data, info } = await samples.raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels };
  }, signal);
}
