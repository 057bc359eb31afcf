import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import { type DueAnimation, world } from './world.js';

/** Arguments passed into the page, as JSON. */
export interface DueRequest {
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
