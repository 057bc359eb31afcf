import { listFrames, openFrameWorld, type TargetSession } from '@platen/kernel';
import { showDeferred } from './restyle-page.js';

export interface FramesOptions {
  /** Also in the session's first frame, not only in those below. */
  readonly first: boolean;
  /** For each call. */
  readonly timeoutMs: number;
}

/** As `showDeferred`, in the frames of one process. One that is replaced, or does not answer, stays as it is. */
export async function showDeferredInFrames(
  session: Pick<TargetSession, 'send'>,
  { first, timeoutMs }: FramesOptions,
): Promise<() => Promise<void>> {
  const frames = (await listFrames(session, timeoutMs)).slice(first ? 0 : 1);
  const restores = await Promise.all(
    frames
      .map(async (frameId) => showDeferred(await openFrameWorld(session, frameId, { timeoutMs })))
      .map((shown) => shown.catch(() => undefined)),
  );
  return async () => {
    await Promise.allSettled(restores.flatMap((restore) => restore?.() ?? []));
  };
}
