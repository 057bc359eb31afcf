/**
 * Encodes JPEG XL by the first of `cjxl`, an ffmpeg with libjxl, and WebAssembly that the host has. Images are encoded off the event loop,
 * in the slots of `lib-raster`. WebAssembly runs in a thread for each image, since its memory is released only with the thread.
 * `JXL_ENCODERS` describes the encoders as data for `platen doctor`.
 *
 * @packageDocumentation
 */

import type { Readable } from 'node:stream';
import { findTool, PlatenError, type ToolDeclaration } from '@platen/kernel';
import type { EncodeOptions } from './encode-by-wasm.js';
import { JXL_ENCODERS, JXL_METHODS, type JxlEncoderName, type JxlMethod } from './jxl-encoders.js';

export { JXL_ENCODERS } from './jxl-encoders.js';

/** An image to encode; sizes in pixels. */
export interface JxlImage {
  readonly png: Buffer | Readable;
  readonly width: number;
  readonly height: number;
}

export interface JxlEncoder {
  /**
   * Encodes off the event loop, with at most as many concurrent images as the processors allow. Rejects with `feature_unavailable` if the
   * host has no encoder, `capture_too_large` if its encoder cannot hold the image, the signal's reason, or the encoder's error.
   */
  encode(image: JxlImage, options?: EncodeOptions): Promise<Buffer>;
}

export interface JxlEncoderOptions {
  /** Uses this encoder instead of the host's best one. */
  readonly only?: JxlEncoderName;
}

export function createJxlEncoder({ only }: JxlEncoderOptions = {}): JxlEncoder {
  let finding: Promise<JxlMethod> | undefined;
  return {
    async encode({ png, width, height }, options = {}) {
      const { encode, maxPixels } = await (finding ??= find(only, options.ffmpeg));
      if (width * height > maxPixels) throw tooLarge(width * height, maxPixels);
      return encode(png, options);
    },
  };
}

/** Determined once, at first use: a program that is installed later is found at the next start. */
async function find(only: JxlEncoderName | undefined, ffmpeg: string | undefined): Promise<JxlMethod> {
  const wanted: ToolDeclaration = { ...JXL_ENCODERS, candidates: JXL_ENCODERS.candidates.filter(({ name }) => (only ?? name) === name) };
  const found = await findTool(wanted, JXL_ENCODERS.from, ffmpeg === undefined ? {} : { ffmpeg });
  const method = Object.entries(JXL_METHODS).find(([name]) => name === found?.name)?.[1];
  if (method !== undefined) return method;
  const names = JXL_ENCODERS.candidates.map(({ name }) => name).join(', ');
  throw new PlatenError(
    'feature_unavailable',
    `this host has no JPEG XL encoder: none of ${names} is installed; "${JXL_ENCODERS.fix}" installs one`,
  );
}

function tooLarge(pixels: number, most: number): PlatenError {
  return new PlatenError(
    'capture_too_large',
    `the image would have ${String(pixels)} pixels, and this host's JPEG XL encoder supports at most ${String(most)}: request a smaller size with "image_width", "image_height", "device_scale_factor" or "image_selector", or use another output type`,
  );
}
