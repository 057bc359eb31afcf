import { listFrames, openIsolatedFrameWorld, type Page, type TargetSession } from '@platen/kernel';
import { forceContentVisibility, type ShownDeferred } from './restyle-page.js';

type Session = Pick<TargetSession, 'send'>;

export interface FramesOptions {
  /** Includes the session's first frame, not only its descendants. */
  readonly first: boolean;
  /** Timeout of each call. */
  readonly timeoutMs: number;
}

/** Like `forceContentVisibility`, for the frames of one process. Skips frames that are replaced or do not respond. */
export async function forceContentVisibilityInFrames(session: Session, { first, timeoutMs }: FramesOptions): Promise<ShownDeferred> {
  const frames = (await listFrames(session, timeoutMs)).slice(first ? 0 : 1);
  const shown = await Promise.all(
    frames
      .map(async ({ id }) => forceContentVisibility(await openIsolatedFrameWorld(session, id, { timeoutMs })))
      .map((one) => one.catch(() => undefined)),
  );
  return {
    framed: shown.some((one) => one?.framed),
    async restore() {
      await Promise.allSettled(shown.flatMap((one) => one?.restore() ?? []));
    },
  };
}

/** Milliseconds: off-screen frames are not drawn. */
const DRAWN_MS = 250;

/**
 * Waits until a document whose window is in another process has been drawn with its current geometry. `world`: an isolated world of the
 * document.
 */
export async function awaitDrawn(world: Pick<Page, 'evaluate'>): Promise<void> {
  await world.evaluate(drawTwice, DRAWN_MS);
}

/** Like `awaitDrawn`, for the first frame of a process. */
export async function awaitDrawnFrame(session: Session, timeoutMs: number): Promise<void> {
  const [frame] = await listFrames(session, timeoutMs);
  if (frame !== undefined) await awaitDrawn(await openIsolatedFrameWorld(session, frame.id, { timeoutMs }));
}

/** Runs in the page; must not capture outer variables. */
function drawTwice(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
