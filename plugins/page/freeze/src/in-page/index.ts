import { FlatTree } from '@platen/lib-page-functions';
import { fixDate, type Frozen, seedRandom } from './realm.js';
import { holdTimers, RealmTime } from './timers.js';

interface Realm {
  platenTime?: RealmTime;
}

/** Tell the scripts' world of a document that it gets another second, or that no timer runs any more. */
const SECOND = 'platen-second';
const END = 'platen-end';

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
  addEventListener(END, () => {
    own.end();
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

/** In a worker. */
export function endTimers(): void {
  timeOf()?.end();
}

/** In a worker: milliseconds of virtual time. */
export function readElapsed(): number | undefined {
  return timeOf()?.elapsed();
}

/** In an isolated world. */
export function giveSecond(): void {
  dispatchEvent(new Event(SECOND));
}

/** In an isolated world: ends all timers, and shows media and SVG animations at their first frame. */
export async function standStill(): Promise<void> {
  dispatchEvent(new Event(END));
  const trees = new FlatTree().trees<Document | ShadowRoot>(document);
  const all = <T extends Element>(selector: string) => trees.flatMap((tree) => Array.from(tree.querySelectorAll<T & Element>(selector)));
  for (const svg of all<SVGSVGElement>('svg')) {
    svg.pauseAnimations();
    svg.setCurrentTime(0);
  }
  for (const tree of trees) hideCaret(tree);
  await Promise.all(all<HTMLMediaElement>('video, audio').map(rewind));
  for (let frames = 0; frames < 2; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

async function rewind(media: HTMLMediaElement): Promise<void> {
  const hasPlayed = media.autoplay || !media.paused || media.currentTime > 0;
  media.pause();
  const hasFailed = () => media.error !== null;
  if (!hasPlayed || hasFailed() || media.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) return;
  const event = (name: string) => new Promise((resolve) => media.addEventListener(name, resolve, { once: true }));
  if (media.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await Promise.race([event('loadeddata'), event('error')]);
  if (hasFailed()) return;
  const shown = event('seeked');
  media.currentTime = 0;
  await shown;
}

/** Of a field that has the focus. */
function hideCaret(tree: Document | ShadowRoot): void {
  if (tree.activeElement?.matches('input, textarea, [contenteditable], [contenteditable] *') !== true) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  tree.adoptedStyleSheets.push(sheet);
}
