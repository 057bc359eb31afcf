import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import { type DueAnimation, world } from './world.js';

/** Position of the visual viewport in the document, in CSS pixels, and its zoom factor. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  /** Where the document begins: below 0 in a right-to-left document that is wider than the viewport. */
  readonly left: number;
  /**
   * Something moves or fades: in, on or around the selected element, endless or not; without a selector, finitely and anywhere in the
   * loaded document. `settleAnimations` waits for it.
   */
  readonly animated: boolean;
}

/** Arguments passed into the page, as JSON. */
export interface SettleRequest {
  readonly limitMs: number;
  readonly moved: boolean;
  readonly selector: string | null;
}

export async function waitForPaint({ limitMs, moved, selector }: SettleRequest): Promise<View> {
  const element = selector === null ? null : document.querySelector(selector);
  // An image that is still loading may have no size yet; an image that is not rendered has no box.
  const inView = (box: Element): boolean => {
    const { top, left, bottom, right } = box.getBoundingClientRect();
    return bottom >= 0 && right >= 0 && top <= innerHeight && left <= innerWidth && box.getClientRects().length > 0;
  };
  const due = (image: HTMLImageElement): boolean => !image.complete && document.readyState === 'complete';
  const images = Array.from(document.images).filter((image) => due(image) && (inView(image) || element?.contains(image) === true));
  // A lazy iframe that was never near the viewport has an empty document, even if it is cross-site.
  const frames = Array.from(document.querySelectorAll<HTMLIFrameElement>('iframe[loading=lazy][src]'))
    .filter(() => document.readyState === 'complete')
    .filter((lazy) => lazy.contentDocument?.URL === 'about:blank' && !lazy.src.startsWith('about:') && inView(lazy))
    .map(
      (lazy) =>
        new Promise<unknown>((resolve) => {
          lazy.addEventListener('load', resolve, { once: true });
        }),
    );
  // `fonts.ready` also waits for the document's load, which may never end: for a page that still loads, only fonts in progress count.
  const fonts = document.readyState === 'complete' || document.fonts.status === 'loading' ? [document.fonts.ready] : [];
  const waiting = moved || images.length + frames.length > 0 || document.fonts.status === 'loading';
  const ready = Promise.all([...fonts, ...frames, ...images.map((image) => image.decode().catch(() => undefined))]);
  await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, limitMs))]);
  const scrollPosition = () => `${String(scrollX)} ${String(scrollY)}`;
  // A page may scroll smoothly, for example to the fragment of its URL.
  const ending = performance.now() + limitMs / 2;
  for (let left = waiting ? 2 : 0, at = scrollPosition(); left > 0; left -= 1) {
    await nextFrame();
    if (at !== scrollPosition() && performance.now() < ending) left = 3;
    at = scrollPosition();
  }
  const leftmost = (): number => {
    const written = Array.from(document.querySelectorAll(':root, body'), (root) => getComputedStyle(root));
    const { scrollWidth = 0, clientWidth = 0 } = document.scrollingElement ?? {};
    if (scrollWidth <= clientWidth || !written.some((style) => style.direction === 'rtl' || style.writingMode.endsWith('-rl'))) return 0;
    const [left, top] = [scrollX, scrollY];
    scrollTo({ left: -scrollWidth, top, behavior: 'instant' });
    const least = scrollX;
    scrollTo({ left, top, behavior: 'instant' });
    return least;
  };
  const animated = document.getAnimations().some(({ effect, playState }) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.target === null) return false;
    if (element !== null) return element.contains(effect.target) || effect.target.contains(element);
    return document.readyState === 'complete' && Number.isFinite(effect.getComputedTiming().endTime);
  });
  const { pageLeft: x = scrollX, pageTop: y = scrollY, scale = 1 } = window.visualViewport ?? {};
  return { animated, left: leftmost(), x, y, scale };
}

/** Arguments passed into the page, as JSON. */
export interface StillRequest {
  readonly selector: string;
  readonly limitMs: number;
}

/** Waits until the element stops moving, and returns the milliseconds that it took. */
export async function waitUntilStill({ selector, limitMs }: StillRequest): Promise<number> {
  const element = document.querySelector(selector);
  if (element === null) return 0;
  const from = world.platenFrom ?? 0;
  const started = performance.now();
  const isOurs = (target: Element) => element.contains(target) || target.contains(element);
  const animated = new FlatTree()
    .trees(document)
    .flatMap((root) => root.getAnimations())
    .some(({ effect, timeline, playState, playbackRate, startTime }) => {
      if (!(effect instanceof KeyframeEffect) || effect.target === null || !(timeline instanceof DocumentTimeline)) return false;
      return playState === 'running' && playbackRate > 0 && (isOurs(effect.target) || Number(startTime ?? Infinity) >= from);
    });
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return new DOMRect(x + scrollX, y + scrollY, width, height);
  };
  const isSame = (one: DOMRect, other: DOMRect) =>
    (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) < 0.5);
  // An endlessly rotating element never stops.
  const ending = animated ? 0 : started + limitMs;
  let last = world.platenSeen ?? place();
  let same = isSame(last, place()) ? 2 : 0;
  let waited = false;
  for (; same < 2 && performance.now() < ending; waited = true) {
    await nextFrame();
    same = isSame(last, place()) ? same + 1 : 0;
    last = place();
  }
  return waited ? performance.now() - started : 0;
}

/** Arguments passed into the page, as JSON. */
interface DueRequest {
  readonly selector: string | null;
  readonly moved: boolean;
  readonly everywhere: boolean;
  /** Nothing was waited for yet. */
  readonly first: boolean;
  readonly leftMs: number;
}

/** Records the animations to wait for, and returns whether there are any. */
export function findDueAnimations({ selector, moved, everywhere, first, leftMs }: DueRequest): boolean {
  const tree = new FlatTree();
  const ends = (world.platenEnds = (first ? undefined : world.platenEnds) ?? new WeakMap<Element, Map<string, number>>());
  const restless = (world.platenRestless ??= new WeakMap<Element, Set<string>>());
  const element = selector === null ? null : document.querySelector(selector);
  const from = moved ? (world.platenFrom ?? 0) : Infinity;
  const isOurs = (target: Element): boolean => {
    if (everywhere) return true;
    if (element !== null) return element.contains(target) || target.contains(element);
    const { top, bottom } = target.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight;
  };
  const nameOf = (animation: Animation, { pseudoElement }: KeyframeEffect, keyframes: readonly ComputedKeyframe[]): string => {
    const name = animation instanceof CSSAnimation ? animation.animationName : Object.keys(keyframes[0] ?? {}).join();
    return `${pseudoElement ?? ''} ${name}`;
  };
  const due = (everywhere || moved ? tree.trees(document) : [document])
    .flatMap((root) => root.getAnimations())
    .flatMap((animation): DueAnimation[] => {
      const { effect, timeline, playState, currentTime, startTime, playbackRate } = animation;
      if (!(effect instanceof KeyframeEffect) || !(timeline instanceof DocumentTimeline)) return [];
      const { target } = effect;
      if (target === null || playState !== 'running' || playbackRate <= 0) return [];
      if (!isOurs(target) && Number(startTime ?? Infinity) < from) return [];
      const left = (Number(effect.getComputedTiming().endTime) - Number(currentTime ?? 0)) / playbackRate;
      if (left > leftMs) return [];
      const name = nameOf(animation, effect, effect.getKeyframes());
      if ((ends.get(target)?.get(name) ?? 0) > 1) restless.set(target, (restless.get(target) ?? new Set()).add(name));
      return restless.get(target)?.has(name) === true ? [] : [{ animation, target, name }];
    });
  world.platenDue = due;
  return due.length > 0;
}

/**
 * Waits until the recorded animations have ended and are painted. Returns the
 * milliseconds that it took.
 */
export async function waitForDueAnimations(limitMs: number): Promise<number> {
  const started = performance.now();
  const { platenDue = [], platenEnds } = world;
  const countEnd = ({ target, name }: DueAnimation) => {
    const ofTarget = platenEnds?.get(target) ?? new Map<string, number>();
    platenEnds?.set(target, ofTarget.set(name, (ofTarget.get(name) ?? 0) + 1));
  };
  const ended = platenDue.map((due) =>
    due.animation.finished
      .then(() => {
        countEnd(due);
      })
      .catch(() => undefined),
  );
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, limitMs))]);
  for (let frames = 2; frames > 0; frames -= 1) await nextFrame();
  return performance.now() - started;
}
