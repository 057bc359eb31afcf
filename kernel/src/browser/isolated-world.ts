import { PlatenError } from '../errors.js';
import type { ProtocolSession, Result } from './contract.js';
import { isContextLost } from './network-errors.js';
import { nameOwnScript } from './own-script.js';

/** A JavaScript world of our own in the main frame: it shares the document, not the globals, with the page. */
export interface IsolatedWorld {
  call<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>>;
  /** The document was replaced: the world went with it. */
  reset(): void;
}

const WORLD_NAME = 'platen';
/** Pages that replace their document again and again are not followed for ever. */
const MAX_DOCUMENTS = 5;

export function createIsolatedWorld(session: ProtocolSession, frameId: string): IsolatedWorld {
  let world: Promise<Result<'Page.createIsolatedWorld'>> | undefined;

  const createWorld = () => {
    const creating = session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD_NAME });
    // One that could not be made is made anew for the next call.
    creating.catch(() => {
      if (world === creating) world = undefined;
    });
    return creating;
  };
  const callOnce = async <A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>> => {
    const { executionContextId } = await (world ??= createWorld());
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: nameOwnScript(fn.toString()),
      arguments: args.map((value) => ({ value })),
      executionContextId,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw toError(exceptionDetails);
    // By value, and the function says what it returns.
    return result.value as Awaited<R>;
  };

  return {
    async call<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>> {
      for (let document = 1; ; document++) {
        const used = world;
        try {
          return await callOnce(fn, args);
        } catch (error) {
          if (!isContextLost(error) || document === MAX_DOCUMENTS) throw error;
          if (world === used || used === undefined) world = undefined;
        }
      }
    },
    reset() {
      world = undefined;
    },
  };
}

type ExceptionDetails = NonNullable<Result<'Runtime.evaluate'>['exceptionDetails']>;

/** Whoever walks a document by calls within calls ends where its depth is too much for the browser: that is the page's doing. */
function toError(details: ExceptionDetails): Error {
  const thrown = describeException(details);
  return thrown.startsWith('RangeError: Maximum call stack size exceeded')
    ? new PlatenError(
        'capture_too_large',
        'the document is nested too deeply to be read: its elements or shadow trees stand one within another',
      )
    : new Error(thrown);
}

function describeException({ text, exception }: ExceptionDetails): string {
  const thrown: unknown = exception?.description ?? exception?.value;
  return typeof thrown === 'string' ? thrown : thrown === undefined ? text : JSON.stringify(thrown);
}

/** Runs source text in the page's own world; throws `script_failed` with what it threw. */
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
