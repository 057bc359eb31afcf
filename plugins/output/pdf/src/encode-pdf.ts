import type { Output } from '@platen/kernel';
import type { PrintCapture } from '@platen/plugin-print';

/** The capture is a PDF already; it is streamed from the browser to the client. */
export function encodePdf({ data }: PrintCapture): Promise<Output> {
  return Promise.resolve({ contentType: 'application/pdf', extension: 'pdf', body: data });
}
