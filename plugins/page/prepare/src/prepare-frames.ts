import { addSourceUrl, type Page, type RenderContext, type TargetSession } from '@platen/kernel';
import { keepRules } from './in-page/index.js';
import type { PrepareParams } from './params.js';

/** An isolated world in every document, invisible to the page's scripts. */
const WORLD = 'platen-prepare';
/** Milliseconds for a response of a frame, which may hang. */
const FRAME_MS = 2_000;

/** Of one tab. */
export interface Preparation {
  /** From now on elements are hidden and removed, in documents that follow too. Resolves once they are in the shown page. */
  begin(shown: Page): Promise<void>;
  /** The next visit has a time of its own at which this begins. */
  pause(): void;
}

/** Styles every frame of the page and its popups from the first paint on; hides and removes elements of them once that has begun. */
export function prepareFrames({ page, params }: Pick<RenderContext<PrepareParams>, 'page' | 'params'>): Preparation {
  const { css = '', hide_selector: hide = [], remove_selector: remove = [] } = params;
  let hasBegun = false;
  const source = () => `(${keepRules.toString()})(${JSON.stringify({ css, ...(hasBegun ? { hide, remove } : { hide: [], remove: [] }) })})`;
  const apply = async (target: TargetSession, frameId: string): Promise<void> => {
    const { executionContextId: contextId } = await target.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
    await target.send('Runtime.evaluate', { expression: addSourceUrl(source()), contextId }, { timeoutMs: FRAME_MS });
  };
  page.targets.configure((target) => {
    if (!target.hasDocuments) return [];
    // Documents without scripts run no script of ours by themselves.
    target.on('Page.frameNavigated', ({ frame }) => {
      if (css !== '' || hasBegun) apply(target, frame.id).catch(() => undefined);
    });
    const early = { source: addSourceUrl(source()), worldName: WORLD, runImmediately: true };
    return [target.send('Page.enable'), ...(css === '' ? [] : [target.send('Page.addScriptToEvaluateOnNewDocument', early)])];
  });
  return {
    async begin(shown) {
      hasBegun = true;
      const frames = await shown.frames(FRAME_MS);
      await Promise.allSettled(frames.map(({ session, id }) => apply(session, id)));
    },
    pause() {
      hasBegun = false;
    },
  };
}
