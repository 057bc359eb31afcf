import { listFrames, openIsolatedFrameWorld, type Page, type TargetSession } from '@platen/kernel';
import { forceContentVisibility, type ShownDeferred } from './restyle-page.js';

type Session = Pick<TargetSession, 'send'>;

export interface FramesOptions {
  /** Also in the session's first frame, not only in those below. */
  readonly first: boolean;
  /** For each call. */
  readonly timeoutMs: number;
}

/** As `forceContentVisibility`, in the frames of one process. One that is replaced, or does not answer, stays as it is. */
export async function forceContentVisibilityInFrames(session: Session, { first, timeoutMs }: FramesOptions): Promise<ShownDeferred> {
  const frames = (await listFrames(session, timeoutMs)).slice(first ? 0 : 1);
  const shown = await Promise.all(
    frames
      .map(async (frameId) => forceContentVisibility(await openIsolatedFrameWorld(session, frameId, { timeoutMs })))
      .map((one) => one.catch(() => undefined)),
  );
  return {
    framed: shown.some((one) => one?.framed),
    async restore() {
      await Promise.allSettled(shown.flatMap((one) => one?.restore() ?? []));
    },
  };
}

/** Milliseconds: frames out of sight draw nothing. */
const DRAWN_MS = 250;

/**
 * Waits until a document whose window comes from another process has been drawn as that has it now. `world`: where no page looks, in the
 * document.
 */
export async function awaitDrawn(world: Pick<Page, 'evaluate'>): Promise<void> {
  await world.evaluate(drawTwice, DRAWN_MS);
}

/** As `awaitDrawn`, in the first frame of a process. */
export async function awaitDrawnFrame(session: Session, timeoutMs: number): Promise<void> {
  const [frameId] = await listFrames(session, timeoutMs);
  if (frameId !== undefined) await awaitDrawn(await openIsolatedFrameWorld(session, frameId, { timeoutMs }));
}

/** Runs in the page; must not capture outer variables. */
function drawTwice(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
