import { nameOwnScript, type Page, type TargetSession } from '@platen/kernel';

/** A frame's isolated world, which it shares with the rest of Platen. */
export interface FrameWorld {
  readonly session: Pick<TargetSession, 'send'>;
  readonly contextId: number;
  /** As `page.evaluate`, but for as long as the render lasts: a large document takes its time. */
  readonly evaluate: Page['evaluate'];
}

export async function openFrameWorld(session: Pick<TargetSession, 'send'>, frameId: string): Promise<FrameWorld> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'platen' });
  return {
    session,
    contextId,
    async evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
      const call = {
        functionDeclaration: nameOwnScript(fn.toString()),
        arguments: args.map((value) => ({ value })),
        executionContextId: contextId,
        returnByValue: true,
        awaitPromise: true,
      };
      const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', call, { timeoutMs: Infinity });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      // By value, and the function says what it returns.
      return result.value as Awaited<R>;
    },
  };
}

/** In the main frame. Where the document is replaced meanwhile, the page itself knows how to follow. */
export async function evaluateAtLeisure<A extends readonly unknown[], R>(
  page: Page,
  fn: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  try {
    const { evaluate } = await openFrameWorld(page, page.mainFrameId);
    return await evaluate(fn, ...args);
  } catch {
    return page.evaluate(fn, ...args);
  }
}
