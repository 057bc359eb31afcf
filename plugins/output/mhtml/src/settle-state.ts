import { listFrames, openIsolatedFrameWorld, type IsolatedFrameWorld, type Page, type TargetSession } from '@platen/kernel';
import { keepSheetsInFrame, openChangesInFrame, settleInFrame, takeBackInFrame } from './settle-in-frame.js';

/**
 * Writes state that the browser's snapshot omits into attributes and elements that it preserves: adopted style sheets and those of shadow
 * trees, the selected candidates of responsive images, typed values. The page looks the same; the returned function reverts all changes,
 * for code that reads the page after the snapshot. It never fails: removed elements need no change.
 */
export async function settleState(page: Page): Promise<() => Promise<void>> {
  const sessions = [page, ...page.targets.all.filter(({ kind, primary }) => kind === 'iframe' && !primary)];
  const settled = (await Promise.all(sessions.map((session) => settleFrames(session).catch(() => [])))).flat();
  return async () => {
    await Promise.all(settled.map((frame) => frame.evaluate(takeBackInFrame).catch(() => undefined)));
  };
}

/** All frames of a session's process. A frame that is removed meanwhile is skipped. */
async function settleFrames(session: Pick<TargetSession, 'send'>): Promise<readonly IsolatedFrameWorld[]> {
  const settleFrame = async (frameId: string): Promise<readonly IsolatedFrameWorld[]> => {
    const world = await openIsolatedFrameWorld(session, frameId);
    // Sent concurrently: the page processes them in this order.
    await Promise.all([openChangesInFrame, settleInFrame, keepSheetsInFrame].map((part) => world.evaluate(part)));
    return [world];
  };
  return (await Promise.all((await listFrames(session)).map((frameId) => settleFrame(frameId).catch(() => [])))).flat();
}
