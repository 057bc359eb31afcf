import { BODY_OR_FILE, definePlugin, type EncodeContext, type EncodedOutput, type Fragments, type InferParams } from '@platen/kernel';
import type { PrintCapture } from '@platen/plugin-print';
import { encryptPdf, QPDF, requireQpdf } from './encrypt-pdf.js';

/** Readers use no more (ISO 32000-2, 7.6.4.3). */
const MAX_BYTES = 127;

const PDF_PARAMS = {
  pdf_password: {
    type: 'string',
    'x-extension': true,
    'x-secret': true,
    'x-sources': BODY_OR_FILE,
    'x-at-file': true,
    description: 'Password that opens the PDF, which is encrypted with AES-256.',
    minLength: 1,
    maxLength: MAX_BYTES,
    examples: ['secret'],
    'x-synonyms': { password: true, user_password: true, owner_password: true, encrypt: true },
  },
} as const satisfies Fragments;

type PdfParams = InferParams<typeof PDF_PARAMS>;

export default definePlugin({
  name: 'pdf',
  requires: ['print'],
  outputs: [{ type: 'pdf', from: 'print', contentType: 'application/pdf', extension: 'pdf' }],
  params: PDF_PARAMS,
  tools: [QPDF],
  planFor: { param: 'pdf_password' },
  plan({ params: { pdf_password = '' }, refuse }) {
    if (Buffer.byteLength(pdf_password.normalize('NFKC')) <= MAX_BYTES) return;
    refuse('pdf_password', `"pdf_password" must have at most ${String(MAX_BYTES)} bytes in UTF-8`);
  },
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'pdf', for: { param: 'pdf_password' } }, async ({ plan }) => {
      const outputs = [plan.output, ...plan.assets.flatMap(({ further }) => further?.output ?? [])];
      if (outputs.some(({ type }) => type === 'pdf')) await requireQpdf();
    });
    hooks.encode.for('pdf').tapPromise('pdf', encodePdf);
  },
});

/** The capture is a PDF already. Without a password it is streamed from the browser to the client. */
async function encodePdf({ data }: PrintCapture, context: EncodeContext<PdfParams>): Promise<EncodedOutput> {
  const { pdf_password: password } = context.params;
  return { body: password === undefined ? data : await encryptPdf(data, password, context) };
}
