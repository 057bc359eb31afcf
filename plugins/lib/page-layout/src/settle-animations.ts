import type { Page } from '@platen/kernel';
import { definePageFunction, nextFrame, withFlatTree } from '@platen/lib-page-functions';

/** Total milliseconds per page for transitions of position and visibility: longer ones are not waited for. */
const SETTLING_MS = 2_000;

const settled = new WeakMap<Page, number>();

/** Waits for something in the page, which returns the milliseconds that it took, while time is left for that. Returns whether it waited. */
export async function spendSettling(page: Page, wait: (leftMs: number) => Promise<number>): Promise<boolean> {
  const before = settled.get(page) ?? 0;
  if (before >= SETTLING_MS) return false;
  const waitedMs = await wait(SETTLING_MS - before);
  settled.set(page, before + waitedMs);
  return waitedMs > 0;
}

/** Undefined: everything in view. */
export interface AnimationsScope {
  /** Only this element, its descendants and its ancestors. */
  readonly selector?: string;
  /** Additionally, animations that began when the element was scrolled to, including in open shadow roots. */
  readonly moved?: true;
  /** Those of the whole document and its open shadow roots. */
  readonly everywhere?: true;
  /** Milliseconds; undefined: the remainder of the page's 2 seconds. */
  readonly limitMs?: number;
}

/**
 * Waits for finite transitions and animations that end soon. Also waits for a transition that begins as another ends, and for one
 * repetition of the same one, but not for a third run: an animation that restarts whenever it ends is endless. Returns whether there were
 * any.
 */
export async function settleAnimations(page: Page, { selector, moved, everywhere, limitMs }: AnimationsScope = {}): Promise<boolean> {
  const scope = { selector: selector ?? null, moved: moved === true, everywhere: everywhere === true };
  const wait = async (mostMs: number): Promise<number> => {
    let waitedMs = 0;
    for (let first = true; await page.evaluate(findDue, { ...scope, first, leftMs: mostMs - waitedMs }); first = false) {
      waitedMs += await page.evaluate(dueEnd, mostMs - waitedMs);
    }
    return waitedMs;
  };
  return limitMs === undefined ? spendSettling(page, wait) : (await wait(limitMs)) > 0;
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

interface DueAnimation {
  readonly animation: Animation;
  readonly target: Element;
  /** The part of the element that it animates. */
  readonly name: string;
}

/** State in our isolated world. */
interface Settling {
  platenFrom?: number;
  platenDue?: readonly DueAnimation[];
  /** How often each animation has ended during one wait. */
  platenEnds?: WeakMap<Element, Map<string, number>>;
  /** Animations that restart whenever they end. */
  platenRestless?: WeakMap<Element, Set<string>>;
}

/** Runs in the page; must not capture outer variables. Records the animations to wait for, and returns whether there are any. */
const findDue = withFlatTree((tree, { selector, moved, everywhere, first, leftMs }: DueRequest): boolean => {
  // In our isolated world, where no other script writes.
  const world = globalThis as Settling;
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
});

/**
 * Runs in the page; must not capture outer variables. Waits until the recorded animations have ended and are painted. Returns the
 * milliseconds that it took.
 */
const dueEnd = definePageFunction({ nextFrame }, async ({ nextFrame }, limitMs: number): Promise<number> => {
  const started = performance.now();
  // As in `findDue`.
  const { platenDue = [], platenEnds } = globalThis as Settling;
  const noteEnd = ({ target, name }: DueAnimation) => {
    const ofTarget = platenEnds?.get(target) ?? new Map<string, number>();
    platenEnds?.set(target, ofTarget.set(name, (ofTarget.get(name) ?? 0) + 1));
  };
  const ended = platenDue.map((due) =>
    due.animation.finished
      .then(() => {
        noteEnd(due);
      })
      .catch(() => undefined),
  );
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, limitMs))]);
  for (let frames = 2; frames > 0; frames -= 1) await nextFrame();
  return performance.now() - started;
});
