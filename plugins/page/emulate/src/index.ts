import { definePlugin } from '@platen/kernel';
import { allowGeolocation } from './allow-geolocation.js';
import { emulateIn } from './emulate-target.js';
import { hintMemory } from './hint-memory.js';
import { PARAMS } from './params.js';
import { planEmulation } from './plan-emulation.js';

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
