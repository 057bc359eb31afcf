import type { Readable } from 'node:stream';

/** The printed page. */
export interface PrintCapture {
  /** The bytes of a PDF, streamed from the browser. Its session lives until they are read. */
  readonly data: Readable;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    print: PrintCapture;
  }
}
