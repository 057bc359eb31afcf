import { addSourceUrl, isPlatenError, openIsolatedFrameWorld, type Rect, type Result } from '@platen/kernel';
import { findAgain, type KnownElement, type RefTable } from '@platen/lib-view';
import { ActionError, type ElementFacts } from './action.js';
import type { Attempt } from './attempt.js';
import { type Frame, type Frames, type Layer, pathOf, readFrames, readLayers, toViewport } from './frames.js';
import { readFacts } from './in-page/index.js';

/** The element was there, but no longer is. */
export class GoneError extends ActionError {
  constructor(ref: string) {
    super(`${ref} is gone`);
  }
}

/** An element in its page, as the page's own scripts cannot see it used: everything runs in an isolated world. */
export interface PageElement {
  /** For messages. */
  readonly ref: string;
  readonly frame: Frame;
  readonly frames: Frames;
  readonly backendNodeId: number;
  readonly objectId: string;
  /** Runs a function on the element. @throws GoneError if its document is gone. */
  call<A extends readonly unknown[], R>(fn: (element: Element, ...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** As `call`, with a second node of the same frame. */
  compare<R>(other: number, fn: (element: Element, other: Node) => R): Promise<Awaited<R>>;
  /** Another element of the same frame; undefined if the function finds none. */
  find<A extends readonly unknown[]>(
    fn: (element: Element, ...args: A) => Element | null | Promise<Element | null>,
    ...args: A
  ): Promise<PageElement | undefined>;
}

/** @throws ActionError if there is no element of that ref (any more). */
export async function openElement(ref: string, attempt: Attempt, refs: RefTable): Promise<PageElement> {
  if (refs.find(ref) === undefined) throw new ActionError(`there is no ${ref}`);
  const [known, frames] = await Promise.all([findAgain(attempt.page, refs, ref), readFrames(attempt.page)]);
  const frame = frames.get(known?.frameId ?? '');
  if (known === undefined) throw new GoneError(ref);
  if (frame === undefined) throw new ActionError(`${ref} is not in the current tab`);
  return openNode({ ref, frame, frames }, known.backendDOMNodeId, attempt);
}

type Place = Pick<PageElement, 'ref' | 'frame' | 'frames'>;

/** The element of a node id. */
export async function openNode(place: Place, backendNodeId: number, attempt: Attempt): Promise<PageElement> {
  const { session, id } = place.frame;
  return orGone({ place, attempt }, async () => {
    const { contextId } = await openIsolatedFrameWorld(session, id, { timeoutMs: attempt.leftMs() });
    const world = { place, contextId, attempt };
    return wrap(world, { backendNodeId, objectId: await resolve(world, backendNodeId) });
  });
}

/** The element that scrolls a frame's document. */
export async function openRoot(place: Place, attempt: Attempt): Promise<PageElement> {
  const { session, id } = place.frame;
  return orGone({ place, attempt }, async () => {
    const { contextId } = await openIsolatedFrameWorld(session, id, { timeoutMs: attempt.leftMs() });
    const expression = 'document.scrollingElement ?? document.documentElement';
    const { result } = await attempt.send(session, 'Runtime.evaluate', { expression: addSourceUrl(expression), contextId });
    if (result.objectId === undefined) throw new GoneError(place.ref);
    const { node } = await attempt.send(session, 'DOM.describeNode', { objectId: result.objectId });
    return wrap({ place, contextId, attempt }, { backendNodeId: node.backendNodeId, objectId: result.objectId });
  });
}

/** The element that has the focus, in whatever frame and shadow tree. Undefined if the page has no document. */
export async function openFocused(attempt: Attempt): Promise<PageElement | undefined> {
  const frames = await readFrames(attempt.page);
  const enter = async (frame: Frame | undefined) =>
    frame === undefined ? undefined : (await openRoot({ ref: 'the focused element', frame, frames }, attempt)).find(readFocus);
  let focused = await enter(frames.get(attempt.page.mainFrameId));
  for (let next = focused; next !== undefined;) {
    focused = next;
    const { frame, backendNodeId } = focused;
    const { node } = await attempt.send(frame.session, 'DOM.describeNode', { backendNodeId, pierce: true });
    const shadow = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType !== 'user-agent');
    next = await (shadow === undefined
      ? enter(frames.get(node.frameId ?? ''))
      : (await openNode(focused, shadow.backendNodeId, attempt)).find(readFocus));
  }
  return focused;
}

/** Runs in the page; must not capture outer variables. */
function readFocus(node: Node): Element | null {
  return node instanceof ShadowRoot ? node.activeElement : (node.ownerDocument?.activeElement ?? null);
}

interface World {
  readonly place: Place;
  readonly contextId: number;
  readonly attempt: Attempt;
}

async function resolve({ place, contextId, attempt }: World, backendNodeId: number): Promise<string> {
  const { object } = await attempt.send(place.frame.session, 'DOM.resolveNode', { backendNodeId, executionContextId: contextId });
  if (object.objectId === undefined) throw new GoneError(place.ref);
  return object.objectId;
}

function wrap(world: World, { backendNodeId, objectId }: Pick<PageElement, 'backendNodeId' | 'objectId'>): PageElement {
  const { place, attempt } = world;
  const own = { objectId };
  return {
    ...{ ...place, backendNodeId, objectId },
    async call<A extends readonly unknown[], R>(fn: (element: Element, ...args: A) => R, ...args: A): Promise<Awaited<R>> {
      const { value } = await run(world, { fn, args: [own, ...args.map((arg) => ({ value: arg }))], returnByValue: true });
      // Returned by value; the function's type declares the result.
      return value as Awaited<R>;
    },
    async compare<R>(other: number, fn: (element: Element, other: Node) => R): Promise<Awaited<R>> {
      const otherId = await orGone(world, () => resolve(world, other));
      const { value } = await run(world, { fn, args: [own, { objectId: otherId }], returnByValue: true });
      // As above.
      return value as Awaited<R>;
    },
    async find(fn, ...args) {
      const { objectId: foundId } = await run(world, { fn, args: [own, ...args.map((arg) => ({ value: arg }))], returnByValue: false });
      if (foundId === undefined) return undefined;
      const { node } = await orGone(world, () => attempt.send(place.frame.session, 'DOM.describeNode', { objectId: foundId }));
      return wrap(world, { backendNodeId: node.backendNodeId, objectId: foundId });
    },
  };
}

interface Call {
  readonly fn: (...args: never[]) => unknown;
  readonly args: readonly ({ readonly objectId: string } | { readonly value: unknown })[];
  readonly returnByValue: boolean;
}

async function run(world: World, { fn, args, returnByValue }: Call): Promise<{ readonly value?: unknown; readonly objectId?: string }> {
  const { place, contextId, attempt } = world;
  const { result, exceptionDetails } = await orGone(world, () =>
    attempt.send(place.frame.session, 'Runtime.callFunctionOn', {
      ...{ functionDeclaration: addSourceUrl(fn.toString()), arguments: [...args], executionContextId: contextId },
      ...{ returnByValue, awaitPromise: true },
    }),
  );
  if (exceptionDetails !== undefined) throw new ActionError(`${place.ref} cannot be read`);
  return result;
}

/** Calls to a document that was replaced, or to a removed frame, fail in many ways. */
async function orGone<T>({ place, attempt }: Pick<World, 'place' | 'attempt'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    attempt.signal.throwIfAborted();
    if (error instanceof ActionError) throw error;
    if (attempt.page.lifecycle.failed.aborted && isPlatenError(error)) throw error;
    throw new GoneError(place.ref);
  }
}

type DomNode = Result<'DOM.describeNode'>['node'];

/** Node ids of the closed shadow roots in the node's own document. */
export function closedRootsOf({ shadowRoots = [], children = [] }: DomNode): readonly number[] {
  const own = shadowRoots.filter(({ shadowRootType }) => shadowRootType === 'closed').map(({ backendNodeId }) => backendNodeId);
  const inner = shadowRoots.filter(({ shadowRootType }) => shadowRootType !== 'user-agent');
  return [...own, ...[...inner, ...children].flatMap(closedRootsOf)];
}

/** The element's facts; its box is empty if it is not rendered. */
export async function describeElement(element: PageElement, { role, name }: Pick<KnownElement, 'role' | 'name'>): Promise<ElementFacts> {
  const { frame, frames } = element;
  const [facts, layers] = await Promise.all([element.call(readFacts), readLayers(frame, frames).catch(() => [])]);
  const quads = await readQuads(element);
  return { role, name, ...facts, frameUrls: pathOf(frame, frames).map(({ url }) => url), box: boundsOf(quads, layers) };
}

/** Corners of the element's boxes in its process's layer; none if it is not rendered. */
export async function readQuads({ frame, backendNodeId }: PageElement): Promise<readonly (readonly number[])[]> {
  return frame.session.send('DOM.getContentQuads', { backendNodeId }).then(
    ({ quads }) => quads,
    () => [],
  );
}

function boundsOf(quads: readonly (readonly number[])[], layers: readonly Layer[]): Rect {
  const corners = quads.flatMap((quad) => [0, 2, 4, 6].map((at) => toViewport({ x: quad[at] ?? 0, y: quad[at + 1] ?? 0 }, layers)));
  if (corners.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
