import { contextKey, definePlugin, paramKey, readDateTime, readParam, Stage } from '@platen/kernel';
import { FrozenPage } from './freeze-page.js';
import { FREEZE_PARAMS } from './params.js';

const frozenKey = contextKey<FrozenPage>('freeze: page');
/** Of the plugin `emulate`, where that is enabled. */
const timezoneParam = paramKey<{ readonly emulate_timezone?: string }, 'emulate_timezone'>('emulate_timezone');
const SCOPE = { name: 'freeze', for: { param: 'freeze' } } as const;
const NEEDING = ['freeze_time', 'freeze_seed'] as const;
const DEFAULT_TIME = '2025-01-01T00:00:00Z';
/** What shows more than one moment, or none. */
const MOVING: Readonly<Record<string, string>> = { frames: 'videos and animated images', download: 'downloads', goal: 'goals' };
/** Animated images stand at their first frame, scrolling is immediate, and edges do not depend on which parts were drawn again. */
const SWITCHES = ['--blink-settings=imageAnimationPolicy=2', '--disable-smooth-scrolling', '--disable-partial-raster'];

/** Still pictures and documents that are the same each time. */
export default definePlugin({
  name: 'freeze',
  params: FREEZE_PARAMS,
  planFor: { param: ['freeze', ...NEEDING] },
  plan(draft) {
    const { params, browser, refuse } = draft;
    const key = NEEDING.find((name) => params[name] !== undefined);
    if (params.freeze !== true && key !== undefined) refuse(key, `"${key}" needs "freeze"`);
    const { freeze_time: text = DEFAULT_TIME, freeze_seed: seed = 1 } = params;
    const time = readDateTime(text) ?? refuse('freeze_time', `"freeze_time" is no possible date and time: ${text}`);
    if (params.freeze !== true) return;
    browser.switches = [...browser.switches, ...SWITCHES];
    draft.frozen = { time, seed };
  },
  validatePlan({ params, captureKind, output, refuse }) {
    const moving = MOVING[captureKind];
    if (params.freeze === true && moving !== undefined)
      refuse('freeze', `"freeze" is not for ${moving}: "output_type" is "${output.type}"`);
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ ...SCOPE, stage: Stage.early }, (context) => {
      const { page, plan, params } = context;
      if (plan.frozen === undefined) return;
      const frozen = new FrozenPage(page, plan.frozen);
      // Not that of the machine.
      if (readParam(params, timezoneParam) === undefined)
        page.targets.configure((target) =>
          target.kind === 'worklet' ? [] : [target.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' })],
        );
      context.set(frozenKey, frozen);
      page.onEnd(() => {
        frozen.end();
      });
    });
    hooks.beforeCapture.tapPromise({ ...SCOPE, stage: Stage.late }, async (context) => {
      context.setWaitReason('the page to stand still');
      await context.get(frozenKey)?.stand(context.page);
    });
  },
});
