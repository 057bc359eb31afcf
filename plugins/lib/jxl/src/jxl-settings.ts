import type { Readable } from 'node:stream';

/** Butteraugli distance 1: the loss is not seen side by side. libjxl's quality 90 is the same. */
export const DISTANCE = 1;
export const QUALITY = 90;

/** 1 to 9. Above 4 it costs more than the page did. */
export const EFFORT = 3;

/** Encodes a png; ends at once when the signal is aborted, leaving no process, thread or file. */
export type EncodeJxl = (png: Buffer | Readable, signal: AbortSignal | undefined) => Promise<Buffer>;
