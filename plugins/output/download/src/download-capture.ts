import type { Readable } from 'node:stream';

/** What an output may ask of the capture, in its declaration's `captureOptions`. */
export interface DownloadCaptureOptions {
  /** Bytes: a larger file is answered with `download_too_large`. */
  readonly maxBytes?: number;
}

/** One file, as a browser would have saved it. */
export interface DownloadCapture {
  /** After the answer's header, the link's attribute or the URL: the site's words, not safe as they are. */
  readonly name: string;
  /** As the site says; else by the name's ending. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** It needs no browser any more. */
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

/** What a file may hold at most, in bytes: the largest that every reader of its length can count. */
const MAX_BYTES = 2 ** 31 - 1;

/** Reads the bound out of an output's declaration; throws a TypeError where it is none. */
export function readMaxBytes(declared: { readonly maxBytes?: unknown } = {}): number {
  const { maxBytes = MAX_BYTES } = declared;
  if (typeof maxBytes === 'number' && maxBytes >= 1 && maxBytes <= MAX_BYTES) return maxBytes;
  throw new TypeError(`captureOptions.maxBytes must be a number from 1 to ${String(MAX_BYTES)}`);
}
