/** What computed values paint, as the browser serializes them. Runs here and in pages; must not capture outer variables. */
export class Paint {
  /** The alpha of a color, which the browser serializes as `rgb(r, g, b)`, `rgba(r, g, b, a)` or `color(space r g b / a)`. */
  alphaOf(color: string): number {
    const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(color)?.[1] ?? /\/\s*([\d.]+|none)\)$/.exec(color)?.[1];
    if (alpha !== undefined) return Number(alpha) || 0;
    return color === '' || color === 'transparent' ? 0 : 1;
  }

  /** Opacity of a `filter`: the product of its `opacity()` functions. */
  filterOpacity(filter: string): number {
    if (!filter.includes('opacity(')) return 1;
    return [...filter.matchAll(/\bopacity\(([\d.]+)\)/g)].reduce((rest, [, amount]) => rest * Math.min(1, Number(amount)), 1);
  }

  /** Gradients without any visible color, and no other image. */
  isTransparentImage(image: string): boolean {
    if (!image.includes('gradient(') || /\b(url|image-set|cross-fade|element|paint)\(/.test(image)) return false;
    const colors = image.match(/\b(?:rgba?|color|oklab|oklch|lab|lch|hsla?|hwb)\([^()]*\)/g) ?? [];
    return colors.length > 0 && colors.every((color) => this.alphaOf(color) === 0);
  }
}
