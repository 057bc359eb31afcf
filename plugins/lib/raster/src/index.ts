/**
 * Encodes and decodes still images; no other package uses sharp, which is loaded with the first image.
 *
 * Images are encoded off the event loop, at most one fewer than the threads of libuv concurrently (`encodeSlots`, which encoders outside
 * of sharp use, too); waiting can be aborted. Everything is tagged as sRGB. Images above `MAX_INPUT_PIXELS` are rejected before they are
 * decoded. `encodeOutput` converts an encoder's error to `encode_failed`.
 *
 * @packageDocumentation
 */

import { availableParallelism } from 'node:os';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ConcurrencyLimiter, PlatenError } from '@platen/kernel';
import type { default as SharpModule, Sharp } from 'sharp';

/** The target format. Quality 0 to 100; effort 0 (fast) to webp's 6 and avif's 9. A TIFF is lossless. */
export type RasterFormat =
  /** `fast`: the same pixels in half the time, a sixth larger and without a color profile. */
  | { readonly format: 'jpeg'; readonly quality: number; readonly chromaSubsampling?: '4:2:0' | '4:4:4'; readonly fast?: true }
  | { readonly format: 'webp' | 'avif'; readonly quality: number; readonly effort: number; readonly lossless?: boolean | undefined }
  | { readonly format: 'tiff' | 'png' };

export type RasterOptions = RasterFormat & {
  /** Stops waiting for a free encoder and reading a stream; an encoder that already runs finishes. */
  readonly signal?: AbortSignal;
};

/**
 * Encodes a PNG (a buffer or a stream) or raw samples into a still image tagged as sRGB. Works off the event loop, with at most as many concurrent
 * images as the processors allow. Rejects with the encoder's error, or with the signal's reason.
 */
export async function encodeRaster(source: Buffer | Readable | RasterPixels, options: RasterOptions): Promise<Buffer> {
  const sharp = await loadSharp();
  return encodeSlots.run(async () => {
    const settings = { limitInputPixels: MAX_INPUT_PIXELS, sequentialRead: true };
    if ('channels' in source) {
      const { data, width, height, channels } = source;
      return encode(sharp(data, { raw: { width, height, channels } }), options).toBuffer();
    }
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
  const isFast = options.format === 'jpeg' && options.fast === true;
  const tagged = isFast ? image : image.withIccProfile('srgb');
  switch (options.format) {
    case 'jpeg': {
      const { quality, chromaSubsampling = '4:2:0' } = options;
      return tagged.flatten({ background: 'white' }).jpeg({ quality, chromaSubsampling, optimizeCoding: !isFast });
    }
    case 'webp':
      return tagged.webp(settingsOf(options));
    case 'avif':
      // Chroma at full resolution: subsampling blurs thin colored text first, and full resolution costs a tenth of the time.
      return tagged.avif({ ...settingsOf(options), chromaSubsampling: '4:4:4' });
    case 'png':
      return tagged.png();
    case 'tiff':
      return tagged.tiff({ compression: 'deflate', predictor: 'horizontal' });
  }
}

/** Lossless images are of quality 100: encoders take it for an effort, or lose colors below it. */
function settingsOf({ quality, effort, lossless = false }: Extract<RasterFormat, { readonly effort: number }>) {
  return lossless ? { quality: 100, effort, lossless } : { quality, effort };
}

/** An image as raw samples: rows from the top, no padding. Sizes in pixels. */
export interface RasterPixels {
  /** 8 bits per sample. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  /** Samples per pixel: red, green, blue and, if there are four, alpha. */
  readonly channels: 3 | 4;
}

export interface DecodeOptions {
  /** Default 3. */
  readonly channels?: 3 | 4;
  /** Stops reading a stream and waiting for a free decoder; a decoder that already runs finishes. */
  readonly signal?: AbortSignal;
}

/** Decodes an image off the event loop, without an alpha channel on white. For formats that sharp cannot write. */
export async function decodeRaster(source: Buffer | Readable, { channels = 3, signal }: DecodeOptions = {}): Promise<RasterPixels> {
  const sharp = await loadSharp();
  const encoded = Buffer.isBuffer(source) ? source : await buffer(signal === undefined ? source : addAbortSignal(signal, source));
  return encodeSlots.run(async () => {
    const image = sharp(encoded, { limitInputPixels: MAX_INPUT_PIXELS }).toColourspace('srgb');
    const samples = channels === 4 ? image.ensureAlpha() : image.flatten({ background: 'white' });
    const { data, info } = await samples.raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height, channels };
  }, signal);
}

/**
 * The result of an output's encoder.
 * @throws PlatenError `encode_failed`, with the encoder's error as its cause; the signal's reason once it is aborted
 */
export async function encodeOutput<T>(type: string, signal: AbortSignal, encode: () => Promise<T>): Promise<T> {
  try {
    return await encode();
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', `the ${type} could not be encoded`, { cause });
  }
}

/**
 * Number of images that are processed concurrently. Each one occupies a thread of libuv's pool, which files and DNS look-ups need too: one
 * thread stays free.
 */
function slotsOfHost(): number {
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  return Math.max(1, Math.min(availableParallelism(), (Number.isInteger(threads) ? threads : 4) - 1));
}

/** One set for the process: encoding and decoding share the same threads. */
export const encodeSlots = new ConcurrencyLimiter(slotsOfHost());

/** Pixels of the largest image that is decoded: 16,383 squared, libvips's own default. */
export const MAX_INPUT_PIXELS = 16_383 ** 2;

let loading: Promise<typeof SharpModule> | undefined;

/** Loads sharp with the first image, not at the server's start. */
function loadSharp(): Promise<typeof SharpModule> {
  return (loading ??= importSharp());
}

async function importSharp(): Promise<typeof SharpModule> {
  const { default: sharp } = await import('sharp');
  // No cache, because no image is read twice; one thread per image, because the encode slots already divide the processors.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
