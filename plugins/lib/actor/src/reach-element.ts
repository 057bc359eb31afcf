import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '@platen/kernel';
import { ActionError, type Point } from './action.js';
import type { Attempt } from './attempt.js';
import { describeCover } from './describe-cover.js';
import { GoneError, type PageElement, readQuads } from './element.js';
import { classifyClick, findStandIn, isStill, readState, scrollTo } from './in-page/index.js';
import type { Hit } from './in-page/reach-element.js';
import { type Layer, readLayers, toOuter, toViewport } from './frames.js';

/** An obstacle that is still there after this many milliseconds will not go away by itself. */
const REACH_MS = 5_000;
const RETRY_MS = 100;
/** Where the element is scrolled to, try by try: it may be behind a bar at an edge of the viewport. */
const PLACES = [undefined, 'center', 'end', 'start'] as const;
/** Shares of the width and height. */
const SPOTS = [
  ...[0.5, 0.25, 0.75].map((x) => [x, 0.5] as const),
  ...[0.25, 0.75].flatMap((y) => [0.5, 0.25, 0.75].map((x) => [x, y] as const)),
  ...[0.05, 0.95].map((x) => [x, 0.5] as const),
];

/** Runs in the page: what input at a node is input for. */
export type Classify = (element: Element, node: Node) => Hit;

export interface ReachOptions {
  /** Default: whose a click is. */
  readonly classify?: Classify;
  /** Does not scroll. */
  readonly stays?: boolean;
  /** The input also has an effect on a disabled element. */
  readonly evenDisabled?: boolean;
}

/**
 * Scrolls the element into view and waits until it is enabled, does not move, and is the topmost thing at a point, which is returned in CSS
 * pixels of the page's viewport. Waits at most 5 s.
 *
 * @throws ActionError that names the obstacle.
 */
export async function reachElement(element: PageElement, attempt: Attempt, options: ReachOptions = {}): Promise<Point> {
  const until = performance.now() + REACH_MS;
  const shown = (await element.find(findStandIn)) ?? element;
  for (let tries = 0; ; tries += 1) {
    const place = options.stays === true ? 'here' : PLACES[tries % PLACES.length];
    const tried = await findHitPoint(shown, attempt, {
      place,
      classify: options.classify ?? classifyClick,
      evenDisabled: options.evenDisabled === true,
    });
    attempt.obstacle = typeof tried === 'string' ? `${element.ref} ${tried}` : undefined;
    if (typeof tried !== 'string') return tried;
    if (performance.now() > until) throw new ActionError(attempt.obstacle);
    await delay(RETRY_MS, undefined, { signal: attempt.signal });
  }
}

interface Try {
  readonly place: (typeof PLACES)[number] | 'here';
  readonly classify: Classify;
  readonly evenDisabled: boolean;
}

/** The point, or why there is none. */
async function findHitPoint(element: PageElement, attempt: Attempt, { place, classify, evenDisabled }: Try): Promise<Point | string> {
  const { ref, frame } = element;
  const state = await element.call(readState);
  if (state === 'gone') throw new GoneError(ref);
  if (state === 'disabled' && !evenDisabled) return 'is disabled';
  if (place === undefined) await scrollIntoView(element, attempt);
  else if (place !== 'here') await element.call(scrollTo, place);
  if (!(await element.call(isStill))) return 'does not stop moving';
  const [quads, layers] = await Promise.all([readQuads(element), readLayers(frame, element.frames).catch(() => [])]);
  const [layer] = layers;
  if (layer === undefined) throw new GoneError(ref);
  if (quads.length === 0) return 'is not visible';
  let nested: Point | undefined;
  let obstacle = 'is outside the viewport';
  for (const spot of quads.flatMap((quad) => spotsOf(quad, layer))) {
    const hit = await hitTest(element, attempt, { spot, layers, classify });
    if (hit === 'own') return toViewport(spot, layers);
    if (hit === 'nested') nested ??= toViewport(spot, layers);
    else obstacle = hit;
  }
  return nested ?? obstacle;
}

/** Scrolls only if the element is not in view. */
export async function scrollIntoView({ frame, backendNodeId }: PageElement, attempt: Attempt): Promise<void> {
  // An element that is not rendered has no place.
  await attempt.send(frame.session, 'DOM.scrollIntoViewIfNeeded', { backendNodeId }).catch(() => undefined);
}

/** Points of whole pixels in the visible part of a box. */
function spotsOf(quad: readonly number[], { width, height }: Layer): readonly Point[] {
  const xs = [0, 2, 4, 6].map((at) => quad[at] ?? 0);
  const ys = [1, 3, 5, 7].map((at) => quad[at] ?? 0);
  const [left, right] = [Math.max(0, Math.min(...xs)), Math.min(width, Math.max(...xs))];
  const [top, bottom] = [Math.max(0, Math.min(...ys)), Math.min(height, Math.max(...ys))];
  if (right <= left || bottom <= top) return [];
  return SPOTS.map(([x, y]) => ({ x: Math.floor(left + (right - left) * x), y: Math.floor(top + (bottom - top) * y) }));
}

interface Spot {
  readonly spot: Point;
  readonly layers: readonly Layer[];
  readonly classify: Classify;
}

/** Whether a point is the element's, in its process and in those around it (`own` or `nested`); otherwise the obstacle. */
async function hitTest(element: PageElement, attempt: Attempt, { spot, layers, classify }: Spot): Promise<string> {
  let point = spot;
  let inner: Layer | undefined;
  let result: Hit = 'own';
  for (const layer of layers) {
    const node = await nodeAt(layer, point, attempt);
    if (node === undefined) return 'is outside the viewport';
    const hit =
      inner === undefined ? await classifyNode(element, node, classify) : toHit(node.backendNodeId === inner.owner?.backendNodeId);
    if (hit === 'other') return `is covered by ${await describeCover(layer.session, node.backendNodeId)}`;
    if (hit === 'nested') result = hit;
    point = toOuter(point, layer);
    inner = layer;
  }
  return result;
}

function toHit(isOwn: boolean): Hit {
  return isOwn ? 'own' : 'other';
}

type HitNode = Pick<Result<'DOM.getNodeForLocation'>, 'backendNodeId' | 'frameId'>;

/** The topmost node that takes pointer events there; undefined outside the viewport. */
async function nodeAt({ session, width, height, scroll }: Layer, { x, y }: Point, attempt: Attempt): Promise<HitNode | undefined> {
  if (x < 0 || y < 0 || x >= width || y >= height) return undefined;
  const at = { x: Math.floor(x + scroll.x), y: Math.floor(y + scroll.y) };
  return attempt.send(session, 'DOM.getNodeForLocation', at).catch(() => undefined);
}

async function classifyNode(element: PageElement, { backendNodeId, frameId }: HitNode, classify: Classify): Promise<Hit> {
  return frameId === element.frame.id ? element.compare(backendNodeId, classify) : 'other';
}
