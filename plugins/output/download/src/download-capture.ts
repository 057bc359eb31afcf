import type { Readable } from 'node:stream';

/** The options that an output can set in its declaration's `captureOptions`. */
export interface DownloadCaptureOptions {
  /** Bytes: a larger file fails with `download_too_large`. */
  readonly maxBytes?: number;
}

/** One file, as a browser would have saved it. */
export interface DownloadCapture {
  /** From the response's header, the link's attribute or the URL: chosen by the site, not safe to use unchanged. */
  readonly name: string;
  /** As declared by the site, else by the file extension. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Can be read after the browser was released. */
  readonly data: Readable;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    download: DownloadCapture;
  }
  interface CaptureOptions {
    download: DownloadCaptureOptions;
  }
}

/** Maximum file size in bytes: the largest integer that every reader of its length can represent. */
const MAX_BYTES = 2 ** 31 - 1;

/** Reads the limit from an output's declaration; throws a TypeError if it is invalid. */
export function readMaxBytes(declared: { readonly maxBytes?: unknown } = {}): number {
  const { maxBytes = MAX_BYTES } = declared;
  if (typeof maxBytes === 'number' && maxBytes >= 1 && maxBytes <= MAX_BYTES) return maxBytes;
  throw new TypeError(`captureOptions.maxBytes must be a number from 1 to ${String(MAX_BYTES)}`);
}
