import { PlatenError } from '../errors.js';
import type { ProtocolSession } from './contract.js';
import { describeException, openIsolatedFrameWorld, type IsolatedFrameWorld } from './isolated-frame-world.js';
import { isContextLost } from './network-errors.js';
import { documentReplaced } from './one-document.js';

/** An isolated JavaScript world in the main frame, in its current document. */
export interface IsolatedWorld {
  call<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>>;
  /** The document and its world were replaced. */
  reset(): void;
}

/** Pages that replace their document again and again are not followed for ever. */
const MAX_DOCUMENTS = 5;

export function createIsolatedWorld(session: ProtocolSession, frameId: string): IsolatedWorld {
  let world: Promise<IsolatedFrameWorld> | undefined;

  const createWorld = () => {
    const creating = openIsolatedFrameWorld(session, frameId);
    // If creating the world failed, the next call tries again.
    creating.catch(() => {
      if (world === creating) world = undefined;
    });
    return creating;
  };
  const callOnce = async <A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>> => {
    const { evaluate } = await (world ??= createWorld());
    return evaluate(fn, ...args);
  };

  return {
    async call<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>> {
      for (let document = 1; ; document++) {
        const used = world;
        try {
          return await callOnce(fn, args);
        } catch (error) {
          if (!isContextLost(error)) throw error;
          if (document === MAX_DOCUMENTS) throw documentReplaced(error);
          if (world === used || used === undefined) world = undefined;
        }
      }
    },
    reset() {
      world = undefined;
    },
  };
}

/** Runs source text in the page's main world; throws `script_failed` with the script's exception. */
export async function evaluateInMainWorld(session: ProtocolSession, source: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: source,
    returnByValue: true,
    awaitPromise: true,
    userGesture: true,
  });
  if (!exceptionDetails) return result.value as unknown;
  const [thrown = ''] = describeException(exceptionDetails).split('\n');
  throw new PlatenError('script_failed', `the script threw: ${thrown.slice(0, 500)}`);
}
