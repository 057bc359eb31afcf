import type { Output } from '@platen/kernel';
import type { PrintCapture } from '@platen/plugin-print';

/** The capture is a PDF already, and goes to the client as it comes out of the browser. */
export function encodePdf({ data }: PrintCapture): Promise<Output> {
  return Promise.resolve({ contentType: 'application/pdf', extension: 'pdf', body: data });
}
