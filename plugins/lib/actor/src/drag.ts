import { type EventPayload, withTimeout } from '@platen/kernel';
import { ActionError, type Point } from './action.js';
import type { Attempt } from './attempt.js';
import type { PageElement } from './element.js';
import { reachElement } from './reach-element.js';

type DragData = EventPayload<'Input.dragIntercepted'>['data'];

/** Milliseconds for the data of a drag that has begun. */
const DATA_MS = 2_000;
const STEPS = 5;
/** Pages that drag by pointer events ignore the first few pixels. */
const THRESHOLD = 8;

/** Drags one element to another: by HTML5 drag and drop if the page begins it, otherwise by pointer events. */
export async function dragElement(source: PageElement, target: PageElement, attempt: Attempt): Promise<void> {
  const { page, noted } = attempt;
  const to = await reachElement(target, attempt);
  const from = await reachElement(source, attempt);
  await requireUnmoved(target, to, attempt);
  noted.point = from;
  noted.toPoint = to;
  await source.call(watchDrag);
  await page.send('Input.setInterceptDrags', { enabled: true });
  let stop = (): void => undefined;
  const intercepted = new Promise<DragData>((resolve) => {
    stop = page.on('Input.dragIntercepted', ({ data }) => resolve(data));
  });
  try {
    await moveMouse('mouseMoved', from, attempt);
    await moveMouse('mousePressed', from, attempt);
    const [right, down] = [to.x < from.x ? -1 : 1, to.y < from.y ? -1 : 1];
    await dragTo({ x: from.x + right * THRESHOLD, y: from.y + down * THRESHOLD }, attempt);
    await dragTo(between(from, to, 1 / STEPS), attempt);
    if (await source.call(hasDrag)) await drop(intercepted, to, attempt);
    else for (let step = 2; step <= STEPS; step += 1) await dragTo(between(from, to, step / STEPS), attempt);
    await moveMouse('mouseReleased', to, attempt);
  } finally {
    stop();
    await page.send('Input.setInterceptDrags', { enabled: false }).catch(() => undefined);
  }
}

/** Scrolling to the source may have moved the target out of view. */
async function requireUnmoved(target: PageElement, to: Point, attempt: Attempt): Promise<void> {
  const now = await reachElement(target, attempt);
  if (now.x !== to.x || now.y !== to.y) throw new ActionError(`${target.ref} is too far away: scroll until both elements are in view`);
}

async function drop(intercepted: Promise<DragData>, { x, y }: Point, attempt: Attempt): Promise<void> {
  const data = await withTimeout(intercepted, DATA_MS);
  if (data === undefined) throw attempt.late();
  for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
    await attempt.input('Input.dispatchDragEvent', { type, x, y, data });
}

async function moveMouse(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', point: Point, attempt: Attempt): Promise<void> {
  const pressed = type === 'mouseMoved' ? {} : ({ button: 'left', buttons: type === 'mousePressed' ? 1 : 0, clickCount: 1 } as const);
  await attempt.input('Input.dispatchMouseEvent', { type, ...point, ...pressed });
}

async function dragTo(point: Point, attempt: Attempt): Promise<void> {
  await attempt.input('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point, button: 'left', buttons: 1 });
}

function between(from: Point, to: Point, share: number): Point {
  return { x: Math.round(from.x + (to.x - from.x) * share), y: Math.round(from.y + (to.y - from.y) * share) };
}

/** State between the two functions, in our isolated world. */
interface DragWorld {
  platenDrag?: Event | undefined;
}

/** Runs in the page; must not capture outer variables. */
function watchDrag(): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & DragWorld;
  world.platenDrag = undefined;
  const started = (event: Event) => {
    world.platenDrag = event;
  };
  addEventListener('dragstart', started, { capture: true, once: true });
}

/** Runs in the page; must not capture outer variables. The page may have prevented the drag that the browser began. */
function hasDrag(): boolean {
  // See above.
  const { platenDrag } = globalThis as typeof globalThis & DragWorld;
  return platenDrag?.defaultPrevented === false;
}
