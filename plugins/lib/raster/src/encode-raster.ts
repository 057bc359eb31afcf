import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sharp } from 'sharp';
import { encodeSlots } from './encode-slots.js';
import { loadSharp, MAX_INPUT_PIXELS } from './load-sharp.js';

/** The target format. Quality 0 to 100; effort 0 (fast) to webp's 6 and avif's 9. A TIFF is lossless. */
export type RasterFormat =
  | { readonly format: 'jpeg'; readonly quality: number; readonly chromaSubsampling?: '4:2:0' | '4:4:4' }
  | { readonly format: 'webp'; readonly quality: number; readonly effort: number }
  | { readonly format: 'avif'; readonly quality: number; readonly effort: number }
  | { readonly format: 'tiff' };

export type RasterOptions = RasterFormat & {
  /** Stops waiting for a free encoder and reading a stream; an encoder that already runs finishes. */
  readonly signal?: AbortSignal;
};

/**
 * Encodes a PNG, as a buffer or a stream, into a still image tagged as sRGB. Works off the event loop, with at most as many concurrent
 * images as the processors allow. Rejects with the encoder's error, or with the signal's reason.
 */
export async function encodeRaster(source: Buffer | Readable, options: RasterOptions): Promise<Buffer> {
  const sharp = await loadSharp();
  return encodeSlots.run(async () => {
    const settings = { limitInputPixels: MAX_INPUT_PIXELS, sequentialRead: true };
    if (Buffer.isBuffer(source)) return encode(sharp(source, settings), options).toBuffer();
    const image = encode(sharp(settings), options);
    const [encoded] = await Promise.all([
      image.toBuffer(),
      pipeline(source, image, options.signal === undefined ? {} : { signal: options.signal }),
    ]);
    return encoded;
  }, options.signal);
}

/** Transparency is preserved if the format supports it, else it becomes white. */
function encode(image: Sharp, options: RasterFormat): Sharp {
  const tagged = image.withIccProfile('srgb');
  switch (options.format) {
    case 'jpeg':
      return tagged
        .flatten({ background: 'white' })
        .jpeg({ quality: options.quality, chromaSubsampling: options.chromaSubsampling ?? '4:2:0' });
    case 'webp':
      return tagged.webp({ quality: options.quality, effort: options.effort });
    case 'avif':
      // Chroma at full resolution: subsampling blurs thin colored text first, and full resolution costs a tenth of the time.
      return tagged.avif({ quality: options.quality, effort: options.effort, chromaSubsampling: '4:4:4' });
    case 'tiff':
      return tagged.tiff({ compression: 'deflate', predictor: 'horizontal' });
  }
}
