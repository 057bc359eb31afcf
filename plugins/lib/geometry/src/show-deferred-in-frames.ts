import { nameOwnScript, type Page, type Result, type TargetSession } from '@platen/kernel';
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
  const { frameTree } = await session.send('Page.getFrameTree', undefined, { timeoutMs });
  const frames = first ? [frameTree.frame.id, ...below(frameTree)] : below(frameTree);
  const restores = await Promise.all(
    frames
      .map(async (frameId) => {
        const world = await openWorld(session, { frameId, timeoutMs });
        return showDeferred(world);
      })
      .map((shown) => shown.catch(() => undefined)),
  );
  return async () => {
    await Promise.allSettled(restores.flatMap((restore) => restore?.() ?? []));
  };
}

function below({ childFrames = [] }: Result<'Page.getFrameTree'>['frameTree']): readonly string[] {
  return childFrames.flatMap((child) => [child.frame.id, ...below(child)]);
}

interface WorldOptions {
  readonly frameId: string;
  readonly timeoutMs: number;
}

/** The world of our own scripts in a frame. */
async function openWorld(session: Pick<TargetSession, 'send'>, { frameId, timeoutMs }: WorldOptions): Promise<Pick<Page, 'evaluate'>> {
  const options = { timeoutMs };
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' }, options);
  return {
    async evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
      const call = {
        functionDeclaration: nameOwnScript(fn.toString()),
        arguments: args.map((value) => ({ value })),
        executionContextId,
        returnByValue: true,
        awaitPromise: true,
      };
      const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', call, options);
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      // By value, and the function says what it returns.
      return result.value as Awaited<R>;
    },
  };
}
