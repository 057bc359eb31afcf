import type { Page } from '@platen/kernel';
import { awaitDrawn, awaitDrawnFrame, forceContentVisibility, forceContentVisibilityInFrames } from '@platen/lib-page-layout';
import { CALL_MS, loadFrames, withTimeoutAtLeast, type LoadedFrame } from './load-frames.js';

/**
 * `loadFrames` with content that is not laid out while off screen (`content-visibility: auto`), because the amount of such content changes
 * over time. All processes lay it out before any frame is read, because a frame may be in a skipped part of another process's document.
 */
export async function loadShown(page: Page, frameTimeoutMs: number): Promise<readonly LoadedFrame[]> {
  const until = performance.now() + frameTimeoutMs;
  const left = () => ({ ms: Math.max(0, until - performance.now()), atLeast: Promise.resolve() });
  // A page that is replaced meanwhile is read as it is. Its frames get the timeout of frames in other processes.
  const own = [forceContentVisibility(page), forceContentVisibilityInFrames(page, { first: false, timeoutMs: frameTimeoutMs })].map(
    (shown) => ({
      shown: shown.catch(() => undefined),
      draw: () => awaitDrawn(page),
    }),
  );
  const others = page.targets.all
    .filter(({ kind }) => kind === 'iframe')
    .map((target) => ({
      shown: forceContentVisibilityInFrames(target, { first: true, timeoutMs: CALL_MS }).catch(() => undefined),
      draw: () => awaitDrawnFrame(target, CALL_MS),
    }));
  const all = [...own, ...others];
  const shown = await Promise.all([...own.map((one) => one.shown), ...others.map((one) => withTimeoutAtLeast(one.shown, left()))]);
  const draw = (some: typeof all) => Promise.all(some.map((one) => withTimeoutAtLeast(one.draw(), left())));
  try {
    const framing = all.filter((_, at) => shown[at]?.framed);
    if (framing.length > 0 && others.length > 0) {
      await draw(framing);
      await draw(others.filter((one) => !framing.includes(one)));
    }
    return await loadFrames(page, left().ms);
  } finally {
    const restored = all.map((one) => one.shown.then((late) => late?.restore()).catch(() => undefined));
    await Promise.all(restored.filter((_, at) => shown[at] !== undefined));
  }
}
