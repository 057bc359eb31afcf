import { definePlugin, Stage } from '@platen/kernel';
import { capturePrint } from './capture-print.js';
import { checkMargins, checkRanges, checkTemplates } from './paper.js';
import { findTinySide, MIN_SIDE, PRINT_PARAMS, PRINT_RULES } from './params.js';
import { detectBlankFrames, recordOpening } from './full-chrome-fallback.js';

export type { PrintCapture } from './capture-print.js';

export default definePlugin({
  name: 'print',
  captures: [{ kind: 'print', streaming: true, combines: 'printing' }],
  params: PRINT_PARAMS,
  rules: PRINT_RULES,
  planFor: { capture: 'print' },
  plan({ params, outputs, refuse }) {
    const side = findTinySide(params);
    if (side !== undefined) refuse(side, `"${side}" must be at least ${String(MIN_SIDE)} inches: the browser supports no smaller pages`);
    checkMargins(params, refuse);
    checkTemplates(params, refuse);
    checkRanges(params, refuse);
    // The key belongs to another plugin.
    if (!('full_page' in params) || params.full_page !== true || outputs.some(({ from }) => [from].flat().includes('screenshot'))) return;
    refuse('full_page', '"full_page" cannot be used with PDF output, which always contains the whole page');
  },
  apply({ hooks }) {
    const first = { name: 'print', stage: Stage.first, for: { capture: 'print' } } as const;
    hooks.beforeNavigate.tap(first, recordOpening);
    hooks.waitFor.tapPromise(first, async (context) => {
      await detectBlankFrames(context);
      return undefined;
    });
    hooks.capture.for('print').tapPromise('print', capturePrint);
  },
});
