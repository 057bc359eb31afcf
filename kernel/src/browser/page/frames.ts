import { PlatenError } from '../../errors.js';
import type { ProtocolSession, Result, TargetSession } from '../protocol/contract.js';
import { addSourceUrl } from '../protocol/inject-script.js';
import type { IsolatedFrameWorld, IsolatedFrameWorldOptions, Page, PageFrame } from './contract.js';

/** The frames in the session's process: its own first, then its descendants. */
export async function listFrames(
  session: Pick<ProtocolSession, 'send'>,
  timeoutMs?: number,
): Promise<readonly Omit<PageFrame, 'session'>[]> {
  const { frameTree } = await session.send('Page.getFrameTree', undefined, timeoutMs === undefined ? {} : { timeoutMs });
  return flatten(frameTree);
}

function flatten({ frame, childFrames = [] }: Result<'Page.getFrameTree'>['frameTree']): readonly Omit<PageFrame, 'session'>[] {
  const { id, parentId, url, urlFragment = '' } = frame;
  return [{ id, parentId, url: url + urlFragment }, ...childFrames.flatMap(flatten)];
}

/** The frames of a page that is in these targets. */
export function createFrames(targets: () => readonly TargetSession[]): Pick<Page, 'frames' | 'inEveryFrame'> {
  const frames = async (timeoutMs?: number): Promise<readonly PageFrame[]> => {
    const list = async (session: TargetSession) => (await listFrames(session, timeoutMs)).map((frame) => ({ ...frame, session }));
    return (await Promise.all(targets().map((session) => list(session).catch(() => [])))).flat();
  };
  return {
    frames,
    async inEveryFrame(run, options = {}) {
      const all = await frames(options.timeoutMs);
      const open = async (frame: PageFrame) => [await run(await openIsolatedFrameWorld(frame.session, frame.id, options), frame)];
      return (await Promise.all(all.map((frame) => open(frame).catch(() => [])))).flat();
    },
  };
}

const WORLD_NAME = 'platen';

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
  const callSource = async (source: string, args: readonly unknown[], limitMs = evaluateMs): Promise<unknown> => {
    const call = {
      functionDeclaration: addSourceUrl(source),
      arguments: args.map((value) => ({ value })),
      executionContextId: contextId,
      returnByValue: true,
      awaitPromise: true,
    };
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', call, bound(limitMs));
    if (exceptionDetails) throw toError(exceptionDetails);
    return result.value;
  };
  return {
    ...{ session, contextId, callSource },
    async evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
      // Returned by value; the function's type declares the result.
      return (await callSource(fn.toString(), args)) as Awaited<R>;
    },
  };
}

function bound(timeoutMs: number | undefined): { readonly timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs };
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
