import type { Page } from '@platen/kernel';

/** Milliseconds in all for what shows itself with a transition: what takes longer is not waited for. */
const ANIMATIONS_MS = 2_000;

/** Undefined: of all that is in view. */
export interface AnimationsScope {
  /** Of this element, what is in it and around it. */
  readonly selector?: string;
  /** Of the whole document, and its open shadow roots. */
  readonly everywhere?: true;
}

/**
 * Waits for the transitions and animations that end by themselves soon. A transition that begins as another ends is waited for too.
 * Answers whether there were any.
 */
export async function settleAnimations(page: Page, { selector, everywhere }: AnimationsScope = {}): Promise<boolean> {
  return page.evaluate(animationsEnd, { selector: selector ?? null, everywhere: everywhere === true, limitMs: ANIMATIONS_MS });
}

/** What goes into the page, as JSON. */
interface EndRequest {
  readonly selector: string | null;
  readonly everywhere: boolean;
  readonly limitMs: number;
}

/** Runs in the page: closes over nothing. */
async function animationsEnd({ selector, everywhere, limitMs }: EndRequest): Promise<boolean> {
  const element = selector === null ? null : document.querySelector(selector);
  const rootsIn = (root: ParentNode): ShadowRoot[] =>
    Array.from(root.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot)
      .filter((inner) => inner !== null)
      .flatMap((inner) => [inner, ...rootsIn(inner)]);
  const roots = [document, ...(everywhere ? rootsIn(document) : [])];
  const isOurs = (target: Element): boolean => {
    if (everywhere) return true;
    if (element !== null) return element.contains(target) || target.contains(element);
    const { top, bottom } = target.getBoundingClientRect();
    return bottom >= 0 && top <= innerHeight;
  };
  const ending = performance.now() + limitMs;
  const animations = () => roots.flatMap((root) => root.getAnimations());
  const due = (): Animation[] =>
    animations().filter(({ effect, timeline, playState, currentTime, playbackRate }) => {
      if (!(effect instanceof KeyframeEffect) || effect.target === null || !(timeline instanceof DocumentTimeline)) return false;
      const end = Number(effect.getComputedTiming().endTime);
      const left = (end - Number(currentTime ?? 0)) / playbackRate;
      return playState === 'running' && playbackRate > 0 && left <= ending - performance.now() && isOurs(effect.target);
    });
  let waited = false;
  for (let running = due(); running.length > 0; running = due()) {
    waited = true;
    const limit = new Promise((resolve) => setTimeout(resolve, ending - performance.now()));
    await Promise.race([Promise.all(running.map(({ finished }) => finished.catch(() => undefined))), limit]);
    for (let frames = 2; frames > 0; frames -= 1) {
      await Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), new Promise((resolve) => setTimeout(resolve, 500))]);
    }
  }
  return waited;
}
