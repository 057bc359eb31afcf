import { FlatTree } from '@platen/lib-page-functions';

/** Properties by which libraries for scroll effects hide elements. */
const NAMES = ['opacity', 'visibility', 'transform', 'translate', 'scale', 'filter'] as const;

/** Finds elements that the page shows while they are in view, and hides again once they are not. */
export class ShownElements {
  /** Declarations of the elements that are shown, with the end values of running animations, and whether they are in view. */
  readonly #shown = new Map<Element, { readonly rule: string; readonly inView: boolean }>();
  /** The same of elements that were hidden out of view. */
  readonly hidden = new Map<Element, string>();

  /** Compares with the state at the last scroll position. */
  update(): void {
    const tree = new FlatTree();
    const ends = new Map<Element, Partial<ComputedKeyframe>>();
    for (const { effect } of tree.trees(document).flatMap((root) => root.getAnimations())) {
      if (!(effect instanceof KeyframeEffect) || effect.target === null || effect.pseudoElement !== null) continue;
      ends.set(effect.target, { ...ends.get(effect.target), ...effect.getKeyframes().at(-1) });
    }
    for (const element of tree.elements(document)) {
      const style = getComputedStyle(element);
      const valueOf = (name: string) => String(ends.get(element)?.[name] ?? style.getPropertyValue(name));
      const { top, bottom } = element.getBoundingClientRect();
      const inView = bottom > 0 && top < innerHeight;
      const before = this.#shown.get(element);
      if (Number(valueOf('opacity')) > 0.5 && valueOf('visibility') === 'visible') {
        this.#shown.set(element, { rule: NAMES.map((name) => `${name}: ${valueOf(name)} !important;`).join(' '), inView });
        this.hidden.delete(element);
      } else if (before !== undefined) {
        this.#shown.delete(element);
        // What is hidden long after it has left the view is hidden for another reason.
        if (before.inView && !inView) this.hidden.set(element, `${before.rule} transition: none !important; animation: none !important;`);
      }
    }
  }
}
