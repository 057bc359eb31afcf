import { definePlugin } from '@platen/kernel';
import { capturePrint } from './capture-print.js';
import { PRINT_PARAMS } from './params.js';

export type { PrintCapture } from './print-capture.js';

export default definePlugin({
  name: 'print',
  captures: [{ kind: 'print', streaming: true }],
  params: PRINT_PARAMS,
  plan({ captureKind, params, refuse }) {
    // The key is another plugin's.
    if (captureKind !== 'print' || !('full_page' in params) || params.full_page !== true) return;
    refuse('full_page', '"full_page" cannot be used with PDF output, which has all of the page in any case');
  },
  apply({ hooks }) {
    hooks.capture.for('print').tapPromise('print', capturePrint);
  },
});
