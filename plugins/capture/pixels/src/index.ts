import { definePlugin, Stage } from '@platen/kernel';
import { capturePixels } from './capture-pixels.js';
import { prepareFullPage } from './full-page.js';
import { PIXEL_PARAMS, PIXEL_RULES } from './params.js';

export type { PixelParams } from './params.js';
export type { PixelCapture, PixelCaptureOptions } from './pixel-capture.js';

export default definePlugin({
  name: 'pixels',
  captures: [{ kind: 'pixels' }],
  params: PIXEL_PARAMS,
  rules: PIXEL_RULES,
  planFor: { capture: 'pixels' },
  plan({ browser }) {
    // A picture has the frames of other sites, which have processes of their own.
    browser.scaled = true;
  },
  apply({ hooks }) {
    // Before the wait conditions, which then hold for the second load.
    hooks.waitFor.tapPromise({ name: 'pixels', stage: Stage.first, for: { param: 'full_page' } }, prepareFullPage);
    hooks.capture.for('pixels').tapPromise('pixels', capturePixels);
  },
});
