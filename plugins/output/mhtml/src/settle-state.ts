import { listFrames, openIsolatedFrameWorld, type IsolatedFrameWorld, type Page, type TargetSession } from '@platen/kernel';
import { keepSheetsInFrame, openChangesInFrame, settleInFrame, takeBackInFrame } from './settle-in-frame.js';

/**
 * Writes what the browser's snapshot omits into the attributes and elements that it keeps: adopted style sheets and those of shadow trees, the candidates
 * that were chosen for responsive images, typed values. The page looks as before; the function that is returned takes all of it back, for those
 * who read the page after the snapshot. It never fails: what is gone needs nothing.
 */
export async function settleState(page: Page): Promise<() => Promise<void>> {
  const sessions = [page, ...page.targets.all.filter(({ kind, primary }) => kind === 'iframe' && !primary)];
  const settled = (await Promise.all(sessions.map((session) => settleFrames(session).catch(() => [])))).flat();
  return async () => {
    await Promise.all(settled.map((frame) => frame.evaluate(takeBackInFrame).catch(() => undefined)));
  };
}

/** All frames of a session's process. One that is gone meanwhile has nothing to keep. */
async function settleFrames(session: Pick<TargetSession, 'send'>): Promise<readonly IsolatedFrameWorld[]> {
  const settleFrame = async (frameId: string): Promise<readonly IsolatedFrameWorld[]> => {
    const world = await openIsolatedFrameWorld(session, frameId);
    // Sent at once: the page does them in this order.
    await Promise.all([openChangesInFrame, settleInFrame, keepSheetsInFrame].map((part) => world.evaluate(part)));
    return [world];
  };
  return (await Promise.all((await listFrames(session)).map((frameId) => settleFrame(frameId).catch(() => [])))).flat();
}
