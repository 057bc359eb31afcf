import type { Readable } from 'node:stream';

/** Butteraugli distance 1: the loss is not seen side by side. libjxl's quality 90 is the same. */
export const DISTANCE = 1;
export const QUALITY = 90;

/** 1 to 9. The next step saves no byte (README). */
export const EFFORT = 5;

export interface EncodeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Path of the host's ffmpeg; default: the one in `PATH`. */
  readonly ffmpeg?: string | undefined;
}

/** Encodes a png; ends at once when the signal is aborted, leaving no process, thread or file. */
export type EncodeJxl = (png: Buffer | Readable, options: EncodeOptions) => Promise<Buffer>;
