import { definePlugin, type RenderContext, Stage } from '@platen/kernel';
import { REPORT_OBSERVERS } from '@platen/lib-page-layout';
import { checkImageKeys } from './check-image-keys.js';
import { captureScreenshot } from './capture-screenshot.js';
import { prepareFullPage } from './full-page.js';
import { SCREENSHOT_PARAMS, SCREENSHOT_RULES, type ScreenshotParams } from './params.js';

export type { ScreenshotParams } from './params.js';
export type { ScreenshotCapture, ScreenshotCaptureOptions } from './screenshot-capture.js';

const IMAGE_KEYS = ['image_quality', 'image_lossless', 'image_transparent', 'image_clip'] as const;

export default definePlugin({
  name: 'screenshot',
  captures: [{ kind: 'screenshot', combines: 'moving', scaled: true }],
  params: SCREENSHOT_PARAMS,
  rules: SCREENSHOT_RULES,
  planFor: { capture: 'screenshot', param: IMAGE_KEYS },
  validatePlan: checkImageKeys,
  apply({ hooks }) {
    hooks.beforeCapture.tapPromise({ name: 'screenshot', for: { param: 'image_transparent' } }, clearBackground);
    const fullPage = { name: 'screenshot', for: { param: 'full_page' } };
    hooks.beforeNavigate.tap(fullPage, ({ page }) => {
      page.targets.configure((target) => (target.kind === 'page' ? target.inject(REPORT_OBSERVERS) : []));
    });
    // Before the wait conditions, which then apply to the second load.
    hooks.waitFor.tapPromise({ ...fullPage, stage: Stage.first }, prepareFullPage);
    hooks.capture.for('screenshot').tapPromise('screenshot', captureScreenshot);
  },
});

/** Instead of white. The page's own background stays. */
async function clearBackground({ page, params }: RenderContext<ScreenshotParams>): Promise<void> {
  if (params.image_transparent !== true) return;
  await page.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } });
}
