import { setTimeout as delay } from 'node:timers/promises';
import { contextKey, definePlugin, invalidParameter, type RenderContext, Stage } from '@platen/kernel';
import { findInvalidSelector } from '@platen/lib-page-functions';
import { PREPARE_PARAMS, type PrepareParams } from './params.js';
import { type Preparation, prepareFrames } from './prepare-frames.js';

const preparationKey = contextKey<Preparation>('prepare: preparation');
const CSS_BYTES = 262_144;
const SELECTORS = ['hide_selector', 'remove_selector'] as const;
const SCOPE = { name: 'prepare', for: { param: ['css', ...SELECTORS] } } as const;

/** Styles, hides and removes elements of the page, and waits, before it is captured. */
export default definePlugin({
  name: 'prepare',
  params: PREPARE_PARAMS,
  planFor: { param: ['css', 'wait_after'] },
  plan({ params, extendTimeout, refuse }) {
    if (Buffer.byteLength(params.css ?? '') > CSS_BYTES) refuse('css', '"css" must have at most 256 KiB');
    // The key belongs to the kernel.
    if (!('timeout' in params) || params.timeout === undefined) extendTimeout(params.wait_after ?? 0);
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise(SCOPE, async (context) => {
      await checkSelectors(context);
      context.set(preparationKey, prepareFrames(context));
    });
    hooks.beforeOpen.tap(SCOPE, (context) => context.get(preparationKey)?.pause());
    hooks.interact.tapPromise({ ...SCOPE, stage: Stage.early }, begin);
    hooks.interact.tapPromise({ name: 'prepare', stage: Stage.last, for: { param: 'wait_after' } }, waitAfter);
    // Of a document that the page went on to.
    hooks.beforeCapture.tapPromise({ ...SCOPE, stage: Stage.early }, begin);
  },
});

async function begin(context: RenderContext<PrepareParams>): Promise<void> {
  await context.get(preparationKey)?.begin(context.page);
}

async function checkSelectors({ page, params }: RenderContext<PrepareParams>): Promise<void> {
  for (const key of SELECTORS) {
    const selectors = params[key] ?? [];
    const selector = selectors[await page.evaluate(findInvalidSelector, selectors)];
    if (selector !== undefined) throw invalidParameter(key, `"${key}" is not a valid CSS selector: ${selector}`);
  }
}

async function waitAfter({ page, params, signal, setWaitReason }: RenderContext<PrepareParams>): Promise<void> {
  const { wait_after: seconds = 0 } = params;
  setWaitReason(`wait_after=${String(seconds)}`);
  const failed = AbortSignal.any([signal, page.lifecycle.failed]);
  await delay(seconds * 1000, undefined, { signal: failed }).catch(() => {
    failed.throwIfAborted();
  });
}
