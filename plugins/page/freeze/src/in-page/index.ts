import { FlatTree } from '@platen/lib-page-functions';
import { fixDate, type Frozen, seedRandom } from './realm.js';
import { holdTimers, RealmTime } from './timers.js';

interface Realm {
  platenTime?: RealmTime;
}

/** Milliseconds by which realms go on together. */
const STEP_MS = 100;
/** Milliseconds within which a frame of a video that is shown is drawn. */
const DRAWN_MS = 1000;
/** Tell the scripts' world of a document that it gets another second, and that its time goes on by a step. Its responses. */
const SECOND = 'platen-second';
const STEP = 'platen-step';
const BUSY = 'platen-busy';
const IDLE = 'platen-idle';

/** Runs before the first script of each document and worker. */
export function freezeRealm({ time, seed }: Frozen): void {
  // A document may get the global object of the empty one before it.
  if (timeOf() !== undefined) return;
  fixDate(time);
  seedRandom(seed);
  const own = new RealmTime(time);
  Object.defineProperty(globalThis, 'platenTime', { value: own });
  holdTimers(own);
  if (typeof document !== 'object') return;
  addEventListener(SECOND, () => {
    own.extend();
  });
  addEventListener(STEP, (event) => {
    event.preventDefault();
    void own.advance(STEP_MS).then((isBusy) => dispatchEvent(new Event(isBusy ? BUSY : IDLE)));
  });
}

function timeOf(): RealmTime | undefined {
  // Written by `freezeRealm`.
  return (globalThis as Realm).platenTime;
}

/** In a worker. */
export function giveWorkerSecond(): void {
  timeOf()?.extend();
}

/** In a worker: whether timers of its seconds are left. */
export async function stepWorker(): Promise<boolean> {
  return (await timeOf()?.advance(STEP_MS)) === true;
}

/** In an isolated world. */
export function giveSecond(): void {
  dispatchEvent(new Event(SECOND));
}

/** In an isolated world: whether timers of the document's seconds are left. */
export async function stepDocument(): Promise<boolean> {
  return new Promise((resolve) => {
    const respond = ({ type }: Event) => {
      removeEventListener(BUSY, respond);
      removeEventListener(IDLE, respond);
      resolve(type === BUSY);
    };
    addEventListener(BUSY, respond);
    addEventListener(IDLE, respond);
    // A document without scripts of its own hears nothing.
    if (dispatchEvent(new Event(STEP, { cancelable: true }))) respond(new Event(IDLE));
  });
}

/** In an isolated world: styles and layout are computed, and observers run. */
export async function drawFrame(): Promise<void> {
  // An iframe that is not shown has no frames.
  if (innerWidth * innerHeight > 0) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** In an isolated world: shows media and SVG animations at their first frame. */
export async function standStill(): Promise<void> {
  const trees = new FlatTree().trees<Document | ShadowRoot>(document);
  const all = <T extends Element>(selector: string) => trees.flatMap((tree) => Array.from(tree.querySelectorAll<T & Element>(selector)));
  for (const svg of all<SVGSVGElement>('svg')) {
    svg.pauseAnimations();
    svg.setCurrentTime(0);
  }
  for (const tree of trees) hideCaret(tree);
  await Promise.all(all<HTMLMediaElement>('video, audio').map(rewind));
  for (let frames = 0; frames < 2; frames++) await drawFrame();
}

async function rewind(media: HTMLMediaElement): Promise<void> {
  const hasPlayed = media.autoplay || !media.paused || media.currentTime > 0;
  media.pause();
  const hasFailed = () => media.error !== null;
  if (!hasPlayed || hasFailed() || media.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) return;
  const event = (name: string) => new Promise((resolve) => media.addEventListener(name, resolve, { once: true }));
  if (media.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await Promise.race([event('loadeddata'), event('error')]);
  if (hasFailed()) return;
  // A frame that was on its way when it was paused is drawn, so that the next one is the first.
  for (let frames = 0; frames < 2; frames++) await drawFrame();
  const drawn = media instanceof HTMLVideoElement && new Promise((resolve) => media.requestVideoFrameCallback(resolve));
  const sought = event('seeked');
  media.currentTime = 0;
  await sought;
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, DRAWN_MS))]);
}

/** Of a field that has the focus. */
function hideCaret(tree: Document | ShadowRoot): void {
  if (tree.activeElement?.matches('input, textarea, [contenteditable], [contenteditable] *') !== true) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  tree.adoptedStyleSheets.push(sheet);
}
