import type { Paint } from '@platen/lib-accessibility-tree/visibility';
import type { FlatTree } from '@platen/lib-page-functions';

/** Properties that make an element visible: by themselves, or by inheritance. */
export type Appearance = 'opacity' | 'clip-path' | 'mask' | 'filter' | Inherited;
type Inherited = 'color' | 'visibility' | 'font-size' | 'text-indent';

/**
 * Finds running animations: an animation or transition runs, or waits for its delay.
 * The document must not change meanwhile.
 */
export class NodeAnimation {
  readonly #tree: FlatTree;
  readonly #paint: Paint;
  readonly #running = new Map<Node, ReadonlyMap<Element, readonly ComputedKeyframe[]>>();
  readonly #appearing = new Map<string, Map<Element, boolean>>();

  constructor(tree: FlatTree, paint: Paint) {
    this.#tree = tree;
    this.#paint = paint;
  }

  /** Whether it becomes visible at some time. */
  isAppearing(element: Element, property: Appearance): boolean {
    return this.#frames(element).some((frame) => this.#shows(frame, property));
  }

  /** As `isAppearing`, or the element that it inherits the value from is. */
  inheritsVisibility(element: Element, property: Inherited): boolean {
    const known = this.#appearing.get(property) ?? new Map<Element, boolean>();
    this.#appearing.set(property, known);
    const before = known.get(element);
    if (before !== undefined) return before;
    const above = this.#tree.above(element);
    const valueOf = (of: Element) => getComputedStyle(of).getPropertyValue(property);
    const appears =
      this.isAppearing(element, property) ||
      (above !== null && valueOf(above) === valueOf(element) && this.inheritsVisibility(above, property));
    known.set(element, appears);
    return appears;
  }

  /** Its size grows from zero, or the size of a zero-sized box around it does. */
  isOpening(element: Element): boolean {
    if (this.#frames(element).some((frame) => this.#hasSize(frame))) return true;
    const above = this.#tree.above(element);
    if (above === null) return false;
    const { width, height } = above.getBoundingClientRect();
    return (width <= 1 || height <= 1) && this.isOpening(above);
  }

  isMoving(element: Element): boolean {
    return this.#changes(element, ['transform', 'translate', 'left', 'right', 'top', 'bottom', 'marginLeft', 'marginTop']);
  }

  isTurning(element: Element): boolean {
    return this.#changes(element, ['transform', 'rotate']);
  }

  #changes(element: Element, names: readonly string[]): boolean {
    return this.#frames(element).some((frame) => names.some((name) => frame[name] !== undefined));
  }

  #frames(element: Element): readonly ComputedKeyframe[] {
    const root: Node & { getAnimations?: () => Animation[] } = Node.prototype.getRootNode.call(element);
    const known = this.#running.get(root) ?? this.#listRunning(root.getAnimations?.() ?? []);
    this.#running.set(root, known);
    return known.get(element) ?? [];
  }

  /** Of one whole tree in one call, because few of its elements move. */
  #listRunning(animations: readonly Animation[]): ReadonlyMap<Element, readonly ComputedKeyframe[]> {
    const running = new Map<Element, ComputedKeyframe[]>();
    for (const { playState, effect } of animations) {
      if (playState !== 'running' || effect === null || !('getKeyframes' in effect)) continue;
      // Identified by its method, because it may belong to any window.
      const moved = effect as KeyframeEffect;
      const { target, pseudoElement } = moved;
      if (target !== null && pseudoElement === null) running.set(target, [...(running.get(target) ?? []), ...moved.getKeyframes()]);
    }
    return running;
  }

  #shows(frame: ComputedKeyframe, property: Appearance): boolean {
    const { opacity, clipPath, maskImage, maskPosition, maskSize, color, filter, visibility, fontSize, textIndent } = frame;
    switch (property) {
      case 'opacity':
        return Number(opacity ?? 0) > 0;
      case 'color':
        return color !== undefined;
      case 'mask':
        return (maskImage ?? maskPosition ?? maskSize) !== undefined;
      case 'clip-path':
        return clipPath !== undefined;
      case 'filter':
        return filter !== undefined && this.#paint.filterOpacity(String(filter)) > 0;
      case 'visibility':
        return visibility === 'visible';
      case 'font-size':
        return this.#isSize(fontSize);
      case 'text-indent':
        return textIndent !== undefined && !(Math.abs(Number.parseFloat(String(textIndent))) >= 100);
    }
  }

  #hasSize(frame: ComputedKeyframe): boolean {
    return Object.entries(frame).some(
      ([name, value]) => /^(max|min)?(width|height|inlineSize|blockSize)$|^gridTemplate|^flex|^padding/i.test(name) && this.#isSize(value),
    );
  }

  /** A value that does not start with a number, such as `auto` or a sum, counts as a size. */
  #isSize(value: unknown): boolean {
    return typeof value === 'string' && Number.parseFloat(value) !== 0;
  }
}
