import type { TargetInitializer, TargetSession } from '../protocol/contract.js';

/** The loading frames of data URLs of one page, by id; true if their loading may have been lost. */
type LoadingFrames = Map<string, boolean>;

/**
 * Lets frames of `data:` URLs finish loading. A popup starts paused, and its opener waits with it. A frame of a data URL that is
 * committed meanwhile never goes on (Chromium 156; about one in thirty on a busy machine), and the page's load event never comes. Another
 * pause of the page, however short, makes the frame go on.
 */
export function createDataFrames(): TargetInitializer {
  const pages = new Map<TargetSession, LoadingFrames>();

  const suspect = (frames: LoadingFrames): void => {
    for (const id of frames.keys()) frames.set(id, true);
  };
  const wake = (page: TargetSession, frames: LoadingFrames): void => {
    // The pause may meet another frame.
    suspect(frames);
    for (const method of ['Page.waitForDebugger', 'Runtime.runIfWaitingForDebugger'] as const) page.send(method).catch(() => undefined);
  };
  return (target) => {
    if (target.kind !== 'page') return [];
    if (!target.primary) for (const frames of pages.values()) suspect(frames);
    const frames: LoadingFrames = new Map();
    pages.set(target, frames);
    target.onEnd(() => pages.delete(target));
    target.on('Page.frameStartedNavigating', ({ frameId, url }) => {
      if (url.startsWith('data:')) frames.set(frameId, false);
    });
    target.on('Page.frameStoppedLoading', ({ frameId }) => frames.delete(frameId));
    target.on('Page.frameNavigated', ({ frame: { id } }) => {
      if (frames.get(id) !== true) return;
      frames.delete(id);
      wake(target, frames);
    });
    return [];
  };
}
