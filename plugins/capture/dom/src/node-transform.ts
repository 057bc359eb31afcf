import type { combine, isBackfacing, Linear, parseRotate, parseTransform } from '@platen/lib-accessibility-tree/visibility';
import type { FlatTree } from '@platen/lib-page-functions';
import type { NodeAnimation } from './node-animation.js';
import type { TopLayer } from './top-layer.js';

export interface TurnParts {
  readonly tree: FlatTree;
  readonly top: TopLayer;
  readonly motion: NodeAnimation;
  readonly parseTransform: typeof parseTransform;
  readonly parseRotate: typeof parseRotate;
  readonly combine: typeof combine;
  readonly isBackfacing: typeof isBackfacing;
}

/**
 * Runs in the page; must not capture outer variables. How boxes are rotated on the screen, by their own transforms and those of their
 * ancestors.
 */
export class NodeTransform {
  readonly #parts: TurnParts;
  readonly #upright = new Map<Element, boolean>();

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  /** Its back faces the viewer, and no animation rotates it. */
  isAway(element: Element, style: CSSStyleDeclaration): boolean {
    const { tree, top, motion, combine, isBackfacing } = this.#parts;
    if (motion.isTurning(element)) return false;
    let turned = this.#turnOf(style);
    if (top.has(element)) return isBackfacing(turned);
    for (let at = tree.above(element); at !== null; at = tree.above(at)) {
      const around = getComputedStyle(at);
      if (around.transformStyle !== 'preserve-3d') break;
      if (motion.isTurning(at)) return false;
      turned = combine(this.#turnOf(around), turned);
    }
    return isBackfacing(turned);
  }

  /** Positions further right or down in it are so on the screen, too: it is neither mirrored nor rotated. */
  isUpright(element: Element): boolean {
    const known = this.#upright.get(element);
    if (known !== undefined) return known;
    const { tree, top } = this.#parts;
    const above = top.has(element) ? null : tree.above(element);
    const upright = this.#standsUpright(getComputedStyle(element)) && (above === null || this.isUpright(above));
    this.#upright.set(element, upright);
    return upright;
  }

  #standsUpright(style: CSSStyleDeclaration): boolean {
    const { scale, offsetPath } = style;
    if (scale.includes('-') || (offsetPath !== 'none' && offsetPath !== '')) return false;
    const turned = this.#turnOf(style);
    if (turned === undefined) return true;
    const [right, skewX, , skewY, down] = turned;
    // Angles in floating point.
    const slant = Math.max(right, down) * 1e-4;
    return right >= 0 && down >= 0 && Math.abs(skewX) <= slant && Math.abs(skewY) <= slant;
  }

  #turnOf({ rotate, transform }: CSSStyleDeclaration): Linear | undefined {
    const { parseTransform, parseRotate, combine } = this.#parts;
    return combine(parseRotate(rotate), parseTransform(transform));
  }
}
