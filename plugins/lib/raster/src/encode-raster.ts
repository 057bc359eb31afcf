import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sharp } from 'sharp';
import { encodeSlots } from './encode-slots.js';
import { loadSharp, MAX_INPUT_PIXELS } from './load-sharp.js';

/** What to encode to. Quality 0 to 100; effort 0 (fast) to webp's 6 and avif's 9. A tiff is lossless. */
export type RasterFormat =
  | { readonly format: 'jpeg'; readonly quality: number; readonly chromaSubsampling?: '4:2:0' | '4:4:4' }
  | { readonly format: 'webp'; readonly quality: number; readonly effort: number }
  | { readonly format: 'avif'; readonly quality: number; readonly effort: number }
  | { readonly format: 'tiff' };

export type RasterOptions = RasterFormat & {
  /** Gives up the wait for a free encoder, and the reading of a stream; what runs already is finished. */
  readonly signal?: AbortSignal;
};

/**
 * Encodes a png, whole or as a stream, into a still picture tagged as sRGB. The work is done off the event loop, and no more
 * pictures at once than the processors bear. Rejects with the encoder's error, or with the signal's reason.
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

/** Transparency is kept where the format has it, and is white where it has not. */
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
      // Colors at full resolution: thin colored text suffers first, and it costs a tenth of the time.
      return tagged.avif({ quality: options.quality, effort: options.effort, chromaSubsampling: '4:4:4' });
    case 'tiff':
      return tagged.tiff({ compression: 'deflate', predictor: 'horizontal' });
  }
}
