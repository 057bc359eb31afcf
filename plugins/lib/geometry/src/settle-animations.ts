import type { Page } from '@platen/kernel';

/** Milliseconds in all for what shows itself with a transition: what takes longer is not waited for. */
const ANIMATIONS_MS = 2_000;

/**
 * Waits, after the page was scrolled, for the transitions and animations that end by themselves soon: of the element, what is in it and
 * around it, or of all that is in view. A transition that begins as another ends is waited for too.
 */
export async function settleAnimations(page: Page, selector?: string): Promise<void> {
  await page.evaluate(animationsEnd, { selector: selector ?? null, limitMs: ANIMATIONS_MS });
}

/** Runs in the page: closes over nothing. */
async function animationsEnd({ selector, limitMs }: { readonly selector: string | null; readonly limitMs: number }): Promise<void> {
  const element = selector === null ? null : document.querySelector(selector);
  const isOurs = (target: Element): boolean => {
    if (element !== null) return element.contains(target) || target.contains(element);
    const { top, bottom } = target.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight;
  };
  const ending = performance.now() + limitMs;
  const due = (): Animation[] =>
    document.getAnimations().filter(({ effect, timeline, playState, currentTime, playbackRate }) => {
      if (!(effect instanceof KeyframeEffect) || effect.target === null || !(timeline instanceof DocumentTimeline)) return false;
      const end = Number(effect.getComputedTiming().endTime);
      const left = (end - Number(currentTime ?? 0)) / playbackRate;
      return playState === 'running' && playbackRate > 0 && left <= ending - performance.now() && isOurs(effect.target);
    });
  for (let running = due(); running.length > 0; running = due()) {
    const limit = new Promise((resolve) => setTimeout(resolve, ending - performance.now()));
    await Promise.race([Promise.all(running.map(({ finished }) => finished.catch(() => undefined))), limit]);
    for (let frames = 2; frames > 0; frames -= 1) {
      await Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), new Promise((resolve) => setTimeout(resolve, 500))]);
    }
  }
}
