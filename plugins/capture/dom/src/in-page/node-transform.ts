import { combine, isBackfacing, type Linear, parseRotate, parseTransform } from '@platen/lib-accessibility-tree/visibility';
import type { FlatTree } from '@platen/lib-page-functions';
import type { NodeAnimation } from './node-animation.js';
import type { TopLayer } from './top-layer.js';

export interface TransformParts {
  readonly tree: FlatTree;
  readonly top: TopLayer;
  readonly animation: NodeAnimation;
}

/**
 * How boxes are rotated on the screen, by their own transforms and those of their
 * ancestors.
 */
export class NodeTransform {
  readonly #parts: TransformParts;
  readonly #upright = new Map<Element, boolean>();

  constructor(parts: TransformParts) {
    this.#parts = parts;
  }

  /** Its back faces the viewer, and no animation rotates it. */
  facesAway(element: Element, style: CSSStyleDeclaration): boolean {
    const { tree, top, animation } = this.#parts;
    if (animation.isTurning(element)) return false;
    let turned = this.#transformOf(style);
    if (top.has(element)) return isBackfacing(turned);
    for (let at = tree.above(element); at !== null; at = tree.above(at)) {
      const outer = getComputedStyle(at);
      if (outer.transformStyle !== 'preserve-3d') break;
      if (animation.isTurning(at)) return false;
      turned = combine(this.#transformOf(outer), turned);
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
    const turned = this.#transformOf(style);
    if (turned === undefined) return true;
    const [right, skewX, , skewY, down] = turned;
    // Angles in floating point.
    const slant = Math.max(right, down) * 1e-4;
    return right >= 0 && down >= 0 && Math.abs(skewX) <= slant && Math.abs(skewY) <= slant;
  }

  #transformOf({ rotate, transform }: CSSStyleDeclaration): Linear | undefined {
    return combine(parseRotate(rotate), parseTransform(transform));
  }
}
