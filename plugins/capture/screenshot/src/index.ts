import { definePlugin, Stage } from '@platen/kernel';
import { REPORT_OBSERVERS } from '@platen/lib-page-layout';
import { captureScreenshot } from './capture-screenshot.js';
import { prepareFullPage } from './full-page.js';
import { SCREENSHOT_PARAMS, SCREENSHOT_RULES } from './params.js';

export type { ScreenshotParams } from './params.js';
export type { ScreenshotCapture, ScreenshotCaptureOptions } from './screenshot-capture.js';

export default definePlugin({
  name: 'screenshot',
  captures: [{ kind: 'screenshot', combines: 'moving' }],
  params: SCREENSHOT_PARAMS,
  rules: SCREENSHOT_RULES,
  planFor: { capture: 'screenshot' },
  plan({ browser }) {
    // A screenshot includes cross-site iframes, which have separate processes.
    browser.scaled = true;
  },
  apply({ hooks }) {
    const fullPage = { name: 'screenshot', for: { param: 'full_page' } };
    hooks.beforeNavigate.tap(fullPage, ({ page }) => {
      page.targets.configure((target) => (target.kind === 'page' ? target.inject(REPORT_OBSERVERS) : []));
    });
    // Before the wait conditions, which then apply to the second load.
    hooks.waitFor.tapPromise({ ...fullPage, stage: Stage.first }, prepareFullPage);
    hooks.capture.for('screenshot').tapPromise('screenshot', captureScreenshot);
  },
});
