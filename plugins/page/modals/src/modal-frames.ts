import { addSourceUrl, openIsolatedFrameWorld, type Page, type PageFrame, type ProtocolSession } from '@platen/kernel';
import { install } from './in-page/index.js';

/** A document of the page, with the state of `in-page/` in its isolated world. */
export interface ModalFrame {
  readonly frameId: string;
  readonly url: string;
  readonly main: boolean;
  readonly session: ProtocolSession;
  readonly contextId: number;
  /** Calls a function of `in-page/` in the frame. */
  call<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** Calls the source text of a function in the frame. Resolves with the result, by value. */
  callSource(source: string, args: readonly unknown[]): Promise<unknown>;
}

/** Ads may use dozens of frames. Frames beyond this number are not searched for consent managers. */
const MAX_FRAMES = 24;

/**
 * The frames of the page, including cross-site iframes, parents first. Skips frames that disappear meanwhile. `msLeft` limits each call.
 */
export async function openFrames(page: Page, msLeft: () => number): Promise<readonly ModalFrame[]> {
  const frames = (await page.frames(msLeft())).slice(0, MAX_FRAMES);
  const opened = await Promise.all(frames.map((frame) => openFrame(frame, msLeft).catch(() => undefined)));
  return opened.filter((frame) => frame !== undefined);
}

async function openFrame({ id: frameId, parentId, url, session }: PageFrame, msLeft: () => number): Promise<ModalFrame> {
  const world = await openIsolatedFrameWorld(session, frameId, { timeoutMs: msLeft() });
  const callSource = (source: string, args: readonly unknown[]) => world.callSource(source, args, msLeft());
  await callSource(install.toString(), []);
  return {
    ...{ frameId, url, main: parentId === undefined, session, contextId: world.contextId, callSource },
    async call<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
      // Returned by value, with the type that the function declares.
      return (await callSource(fn.toString(), args)) as Awaited<R>;
    },
  };
}

/** The element that embeds a frame. */
export interface FrameOwner {
  /** Calls a function of `in-page/` with the element, in its document. */
  call<A extends readonly unknown[], R>(fn: (element: Element, ...args: A) => R, ...args: A): Promise<R>;
}

/** Undefined if the element is gone or its frame is not in the list. */
export async function findOwner(frame: ModalFrame, frames: readonly ModalFrame[]): Promise<FrameOwner | undefined> {
  for (const session of new Set(frames.map((other) => other.session))) {
    const owner = await session.send('DOM.getFrameOwner', { frameId: frame.frameId }).catch(() => undefined);
    if (owner === undefined) continue;
    for (const parent of frames.filter((other) => other.session === session && other !== frame)) {
      const resolved = await session
        .send('DOM.resolveNode', { backendNodeId: owner.backendNodeId, executionContextId: parent.contextId })
        .catch(() => undefined);
      const objectId = resolved?.object.objectId;
      if (objectId !== undefined) return openOwner(session, objectId);
    }
  }
  return undefined;
}

function openOwner(session: ProtocolSession, objectId: string): FrameOwner {
  return {
    async call<A extends readonly unknown[], R>(fn: (element: Element, ...args: A) => R, ...args: A): Promise<R> {
      const { result } = await session.send('Runtime.callFunctionOn', {
        functionDeclaration: addSourceUrl(fn.toString()),
        objectId,
        arguments: [{ objectId }, ...args.map((value) => ({ value }))],
        returnByValue: true,
      });
      // As above.
      return result.value as R;
    },
  };
}
