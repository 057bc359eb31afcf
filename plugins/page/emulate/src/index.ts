import { definePlugin, type InterceptHandler, InterceptStage, type Page } from '@platen/kernel';
import { emulateIn } from './emulate-target.js';
import { PARAMS } from './params.js';
import { planEmulation } from './plan-emulation.js';

/** Client hints for device memory: the old and the standard name. Browsers only send them to sites that request them. */
const NAMES: ReadonlySet<string> = new Set(['device-memory', 'sec-ch-device-memory']);

// Mobile and touch belong to the profile, which the kernel applies.
const { emulate_mobile: _mobile, emulate_touch_points: _touch, ...OWN } = PARAMS;

/** Emulates the device and the user in pages, frames, popups and workers. */
export default definePlugin({
  name: 'emulate',
  params: PARAMS,
  planFor: { param: Object.keys(PARAMS) },
  plan: planEmulation,
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise({ name: 'emulate', for: { param: Object.keys(OWN) } }, async ({ page, intercept, params }) => {
      page.targets.configure(emulateIn(params));
      if (params.emulate_memory !== undefined) intercept.use(hintMemory(params.emulate_memory));
      if (params.emulate_geolocation !== undefined) await allowGeolocation(page);
    });
  },
});

/** Grants every page of the render's browser context geolocation access without a prompt. */
async function allowGeolocation(page: Page): Promise<void> {
  const { targetInfo } = await page.send('Target.getTargetInfo');
  await page.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting: 'granted',
    ...(targetInfo.browserContextId === undefined ? {} : { browserContextId: targetInfo.browserContextId }),
  });
}

/** Rewrites the device memory hints of requests to the value that scripts see. Removes them if there is none. Gigabytes. */
function hintMemory(memory: number): InterceptHandler {
  return {
    name: 'emulate',
    stage: InterceptStage.headers,
    request({ headers }) {
      for (const name of [...headers.keys()].filter((known) => NAMES.has(known.toLowerCase()))) {
        if (memory === 0) headers.delete(name);
        else headers.set(name, String(memory));
      }
      return undefined;
    },
  };
}
