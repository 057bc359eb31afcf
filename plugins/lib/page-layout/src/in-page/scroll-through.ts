import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import { ShownElements } from './shown-elements.js';
import { adoptRules } from './style-rules.js';
import { world } from './world.js';

/** Milliseconds after which throttled, debounced and dwelling listeners have reacted to a new scroll position. */
const REACTION_MS = 150;

/** Arguments passed into the page, as JSON. */
interface ScrollRequest {
  readonly scrollMs: number;
  readonly imagesMs: number;
  readonly restMs: number;
  /** The page listens to scrolling, or observes its elements. */
  readonly listens: boolean;
}

/**
 * Where the page reacts, stays at each position, moves by half of the viewport, so that each element is in its middle at some time, and
 * waits at the top until the page is at rest. Returns whether it reacts.
 */
export async function scrollThrough({ scrollMs, imagesMs, restMs, listens }: ScrollRequest): Promise<boolean> {
  const ending = performance.now() + scrollMs;
  const { writingMode } = getComputedStyle(document.body instanceof HTMLBodyElement ? document.body : document.documentElement);
  const sideways = !writingMode.startsWith('horizontal');
  const view = sideways ? innerWidth : innerHeight;
  const { scrollingElement: root } = document;
  const end = () => (sideways ? (root?.scrollWidth ?? 0) : (root?.scrollHeight ?? 0)) - view;
  // All of the page is in view: its listeners check that.
  if (end() <= 0) document.dispatchEvent(new Event('scroll', { bubbles: true }));
  const changes = watchChanges();
  const elements = new ShownElements();
  let [reacts, updateMs] = [listens, 0];
  for (let at = 0; performance.now() < ending; at += reacts ? view / 2 : view) {
    const began = performance.now();
    const left = writingMode.endsWith('-rl') ? -at : at;
    scrollTo({ ...(sideways ? { left, top: scrollY } : { left: scrollX, top: at }), behavior: 'instant' });
    // Content that a step scrolls into view is notified in the first frame and requested before the second.
    await nextFrame();
    await nextFrame();
    reacts ||= changes.last > 0;
    // Shorter on a page that is too long for its time.
    const steps = Math.max(1, (end() - at) / (view / 2));
    const stayMs = (ending - performance.now()) / steps - (performance.now() - began + updateMs);
    if (reacts) await pause(Math.max(0, Math.min(REACTION_MS, stayMs)));
    if (reacts && stayMs > 0) updateMs = timeOf(elements.update.bind(elements));
    changes.scrolled = true;
    if (at >= end()) break;
  }
  await Promise.race([loadImages(), pause(imagesMs)]);
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
  if (reacts) await pause(REACTION_MS);
  if (reacts) elements.update();
  world.platenRules = elements.hidden;
  adoptRules(null);
  const back = performance.now();
  const isMoving = () => performance.now() < Math.min(back + restMs, changes.last + REACTION_MS);
  while (reacts && isMoving()) await nextFrame();
  return reacts;
}

function timeOf(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits for images and lazy iframes in flight. */
async function loadImages(): Promise<void> {
  const lazy = Array.from(document.querySelectorAll<HTMLIFrameElement>('iframe[loading=lazy][src]'));
  const coming = [
    ...Array.from(document.images).filter((image) => !image.complete && image.getClientRects().length > 0),
    ...lazy.filter(({ contentDocument, src }) => contentDocument?.URL === 'about:blank' && !src.startsWith('about:')),
  ];
  const loaded = coming.map(
    (element) =>
      new Promise((resolve) => {
        for (const event of ['load', 'error']) element.addEventListener(event, resolve, { once: true });
      }),
  );
  await Promise.all(loaded);
}

/** `last`: the time of the last change that the scrolling caused; 0: none. What changes before it is `scrolled` changes anyway. */
function watchChanges(): { scrolled: boolean; last: number } {
  const changes = { scrolled: false, last: 0 };
  const restless = new WeakSet<Node>();
  const observer = new MutationObserver((records) => {
    for (const { target, attributeName, oldValue } of records) {
      if (attributeName !== null && target instanceof Element && target.getAttribute(attributeName) === oldValue) continue;
      if (!changes.scrolled) restless.add(target);
      else if (!restless.has(target)) changes.last = performance.now();
    }
  });
  for (const root of new FlatTree().trees(document))
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true });
  return changes;
}
