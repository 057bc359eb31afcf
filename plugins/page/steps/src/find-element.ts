import { addSourceUrl, type IsolatedFrameWorld, openIsolatedFrameWorld, type Page, type PageFrame } from '@platen/kernel';
import { closedRootsOf } from '@platen/lib-actor';
import type { ElementKey, ElementLabel } from '@platen/lib-view';
import { countMatches, findMatch, sightWithin, type Sight } from './in-page/index.js';
import type { Selector } from './selector.js';

/** Milliseconds for a response of a frame, which may hang. */
const FRAME_MS = 2_000;

export interface Look {
  readonly element: ElementKey | undefined;
  /** How many elements match, whether or not they are shown. */
  readonly matches: number;
}

interface Options {
  readonly sight: Sight;
  /** In closed shadow trees too: the browser has to describe the whole document for it. */
  readonly isClosed: boolean;
}

/** Looks once for the first element of a page that matches: in all frames and shadow trees, in closed ones if the others have none. */
export async function findElement(page: Page, selector: Selector, { sight, isClosed: withClosed }: Options): Promise<Look> {
  const frames = await page.frames(FRAME_MS);
  let matches = 0;
  for (const isClosed of withClosed ? [false, true] : [false]) {
    matches = 0;
    for (const frame of frames) {
      // A frame that is gone has no match.
      const look = await new FrameSearch(frames, { sight, isClosed }).lookIn(frame, selector).catch(() => undefined);
      if (look?.element !== undefined) return look;
      matches += look?.matches ?? 0;
    }
  }
  return { element: undefined, matches };
}

/** Its role and name in the browser's accessibility tree: by these it is found again. */
export async function readLabel(page: Page, { targetId, backendDOMNodeId: backendNodeId }: ElementKey): Promise<ElementLabel> {
  const session = page.targets.all.find((target) => target.targetId === targetId) ?? page;
  const query = { backendNodeId, fetchRelatives: false };
  const tree = await session.send('Accessibility.getPartialAXTree', query, { timeoutMs: FRAME_MS }).catch(() => undefined);
  const { role, name } = tree?.nodes[0] ?? {};
  // The protocol types values as any.
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return { role: textOf(role?.value), name: textOf(name?.value) };
}

/** A frame's document, with its closed shadow trees. */
interface Place {
  readonly frame: PageFrame;
  readonly world: IsolatedFrameWorld;
  /** Object ids. */
  readonly closed: readonly string[];
}

class FrameSearch {
  readonly #frames: readonly PageFrame[];
  readonly #options: Options;

  constructor(frames: readonly PageFrame[], options: Options) {
    this.#frames = frames;
    this.#options = options;
  }

  async lookIn(frame: PageFrame, selector: Selector): Promise<Look> {
    const world = await openIsolatedFrameWorld(frame.session, frame.id, { timeoutMs: FRAME_MS });
    const place = { frame, world, closed: this.#options.isClosed ? await findClosedRoots(frame, world) : [] };
    const look = await (selector.at(-1)?.by === 'role' ? this.#lookForRole(place, selector) : this.#lookForMatch(place, selector));
    if (look.element !== undefined) return look;
    const [inner, rest] = await this.#enterFrame(place, selector);
    return inner === undefined ? look : this.lookIn(inner, rest);
  }

  async #lookForMatch(place: Place, parts: Selector): Promise<Look> {
    const { sight } = this.#options;
    const found = await callForNode(place, findMatch, { parts, sight });
    if (found !== undefined) return { element: keyOf(place, found.backendNodeId), matches: 1 };
    return { element: undefined, matches: Number((await call(place, countMatches, { parts, sight })).value) };
  }

  /** By the browser's accessibility tree, which has closed shadow trees too. */
  async #lookForRole(place: Place, selector: Selector): Promise<Look> {
    const last = selector.at(-1);
    if (last?.by !== 'role') return { element: undefined, matches: 0 };
    const outer = selector.slice(0, -1);
    const root = await call(place, findMatch, { parts: [{ by: 'css', text: ':root' }], sight: 'any' });
    const host = outer.length === 0 ? root : await call(place, findMatch, { parts: outer, sight: 'any' });
    const { objectId } = root;
    if (objectId === undefined || host.objectId === undefined) return { element: undefined, matches: 0 };
    const { session } = place.frame;
    const role = last.role === 'img' ? 'image' : last.role;
    const query = { objectId, role, ...(last.name === undefined ? {} : { accessibleName: last.name }) };
    const { nodes } = await session.send('Accessibility.queryAXTree', query, { timeoutMs: FRAME_MS });
    let matches = 0;
    for (const { backendDOMNodeId } of nodes) {
      if (backendDOMNodeId === undefined) continue;
      const { object } = await session.send('DOM.resolveNode', {
        backendNodeId: backendDOMNodeId,
        executionContextId: place.world.contextId,
      });
      const found = await readSight(place, [object.objectId, host.objectId]);
      if (found === undefined) continue;
      matches += 1;
      if (found === 'shown' || this.#options.sight === 'any') return { element: keyOf(place, backendDOMNodeId), matches };
    }
    return { element: undefined, matches };
  }

  /** The frame that the first parts lead to, and the other parts. */
  async #enterFrame(place: Place, selector: Selector): Promise<readonly [PageFrame | undefined, Selector]> {
    for (let at = 1; at < selector.length; at += 1) {
      const found = await callForNode(place, findMatch, { parts: selector.slice(0, at), sight: 'any' });
      const frame = this.#frames.find(({ id }) => id === found?.frameId);
      if (frame !== undefined && frame.parentId === place.frame.id) return [frame, selector.slice(at)];
    }
    return [undefined, []];
  }
}

function keyOf({ frame }: Place, backendDOMNodeId: number): ElementKey {
  return { targetId: frame.session.targetId, frameId: frame.id, backendDOMNodeId };
}

async function findClosedRoots({ session }: PageFrame, { contextId }: IsolatedFrameWorld): Promise<readonly string[]> {
  const { result } = await session.send('Runtime.evaluate', { expression: addSourceUrl('document.documentElement'), contextId });
  if (result.objectId === undefined) return [];
  const { node } = await session.send('DOM.describeNode', { objectId: result.objectId, depth: -1, pierce: true });
  const roots = await Promise.all(
    closedRootsOf(node).map((backendNodeId) => session.send('DOM.resolveNode', { backendNodeId, executionContextId: contextId })),
  );
  return roots.flatMap(({ object }) => object.objectId ?? []);
}

type Search = Parameters<typeof findMatch>[0];

async function call({ frame, world, closed }: Place, fn: typeof findMatch | typeof countMatches, search: Search) {
  const { result, exceptionDetails } = await frame.session.send(
    'Runtime.callFunctionOn',
    {
      ...{ functionDeclaration: addSourceUrl(fn.toString()), executionContextId: world.contextId, returnByValue: fn === countMatches },
      arguments: [{ value: search }, ...closed.map((objectId) => ({ objectId }))],
    },
    { timeoutMs: FRAME_MS },
  );
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
  return result;
}

async function callForNode(place: Place, fn: typeof findMatch, search: Search) {
  const { objectId } = await call(place, fn, search);
  if (objectId === undefined) return undefined;
  return (await place.frame.session.send('DOM.describeNode', { objectId })).node;
}

/** Undefined if the element is not within the other one. */
async function readSight({ frame, world }: Place, objectIds: readonly (string | undefined)[]): Promise<Sight | undefined> {
  const { result } = await frame.session.send('Runtime.callFunctionOn', {
    ...{ functionDeclaration: addSourceUrl(sightWithin.toString()), executionContextId: world.contextId, returnByValue: true },
    arguments: objectIds.map((objectId) => (objectId === undefined ? {} : { objectId })),
  });
  const sight: unknown = result.value;
  return sight === 'shown' || sight === 'any' ? sight : undefined;
}
