import { PlatenError } from '../../errors.js';
import type { Page } from './contract.js';
import type { ProtocolSession, Result } from '../protocol/contract.js';
import { addSourceUrl } from '../protocol/inject-script.js';

const WORLD_NAME = 'platen';

/**
 * An isolated JavaScript world in one frame, shared by all callers. It shares the document, but not the globals, with the page's scripts.
 */
export interface IsolatedFrameWorld {
  readonly session: Pick<ProtocolSession, 'send'>;
  readonly contextId: number;
  /** Like `page.evaluate`, but only in this document. */
  readonly evaluate: Page['evaluate'];
}

export interface IsolatedFrameWorldOptions {
  /** Timeout for a response of the frame, which may hang. */
  readonly timeoutMs?: number;
  /** Timeout for functions that may take longer. */
  readonly evaluateMs?: number;
}

/** `session`: of the process that the frame lives in. */
export async function openIsolatedFrameWorld(
  session: Pick<ProtocolSession, 'send'>,
  frameId: string,
  { timeoutMs, evaluateMs = timeoutMs }: IsolatedFrameWorldOptions = {},
): Promise<IsolatedFrameWorld> {
  const { executionContextId: contextId } = await session.send(
    'Page.createIsolatedWorld',
    { frameId, worldName: WORLD_NAME },
    bound(timeoutMs),
  );
  return {
    session,
    contextId,
    async evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
      const call = {
        functionDeclaration: addSourceUrl(fn.toString()),
        arguments: args.map((value) => ({ value })),
        executionContextId: contextId,
        returnByValue: true,
        awaitPromise: true,
      };
      const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', call, bound(evaluateMs));
      if (exceptionDetails) throw toError(exceptionDetails);
      // Returned by value; the function's type declares the result.
      return result.value as Awaited<R>;
    },
  };
}

/** The frames in the session's process: its own first, then its descendants. */
export async function listFrames(session: Pick<ProtocolSession, 'send'>, timeoutMs?: number): Promise<readonly string[]> {
  const { frameTree } = await session.send('Page.getFrameTree', undefined, bound(timeoutMs));
  return idsOf(frameTree);
}

function bound(timeoutMs: number | undefined): { readonly timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

function idsOf({ frame, childFrames = [] }: Result<'Page.getFrameTree'>['frameTree']): readonly string[] {
  return [frame.id, ...childFrames.flatMap(idsOf)];
}

type ExceptionDetails = NonNullable<Result<'Runtime.evaluate'>['exceptionDetails']>;

/**
 * The page's scripts cannot reach this world, so exceptions in it are caused by the document: it is nested too deeply for recursion, or
 * lacks basic parts such as its root element.
 */
function toError(details: ExceptionDetails): PlatenError {
  const thrown = describeException(details);
  if (thrown.startsWith('RangeError: Maximum call stack size exceeded')) {
    const detail = 'the document cannot be read: its elements or shadow trees are nested too deeply';
    return new PlatenError('capture_too_large', detail);
  }
  return new PlatenError('page_unreadable', 'the document cannot be read: it may have no root element', { cause: new Error(thrown) });
}

export function describeException({ text, exception }: ExceptionDetails): string {
  const thrown: unknown = exception?.description ?? exception?.value;
  return typeof thrown === 'string' ? thrown : thrown === undefined ? text : JSON.stringify(thrown);
}
