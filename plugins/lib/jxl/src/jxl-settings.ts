import type { Readable } from 'node:stream';

/** Butteraugli distance 1: the loss is invisible side by side. Equals libjxl's quality 90. */
export const DISTANCE = 1;
export const QUALITY = 90;

/** 1 to 9. The next step saves no bytes (README). */
export const EFFORT = 5;

export interface EncodeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Path of the host's ffmpeg; default: the one in `PATH`. */
  readonly ffmpeg?: string | undefined;
}

/** Encodes a PNG. Stops immediately when the signal is aborted, without leaving a process, thread or file behind. */
export type EncodeJxl = (png: Buffer | Readable, options: EncodeOptions) => Promise<Buffer>;
