/** Runs here and in pages; must not capture outer variables. Reads computed values as the browser serializes them. */
export class Paint {
  /** A color; colors do not nest. */
  readonly #colors = /\b(?:rgba?|color|oklab|oklch|lab|lch|hsla?|hwb)\([^()]*\)/g;

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

  /** Whether any layer is a gradient of opaque colors that repeats to fill its box. */
  isOpaqueImage(image: string, repeat: string): boolean {
    if (!image.includes('gradient(')) return false;
    const repeats = repeat.split(/,\s*/);
    return this.#layersOf(image).some(
      (layer, at) => repeats[at % repeats.length] === 'repeat' && this.#colorsOf(layer)?.every((alpha) => alpha === 1),
    );
  }

  /** Gradients without any visible color. */
  isTransparentImage(image: string): boolean {
    if (!image.includes('gradient(')) return false;
    return this.#layersOf(image).every((layer) => this.#colorsOf(layer)?.every((alpha) => alpha === 0));
  }

  /** Undefined if the layer is not a gradient. */
  #colorsOf(layer: string): readonly number[] | undefined {
    if (!/^(repeating-)?(linear|radial|conic)-gradient\(/.test(layer)) return undefined;
    const alphas = (layer.match(this.#colors) ?? []).map((color) => this.alphaOf(color));
    return alphas.length === 0 ? undefined : alphas;
  }

  /** Commas outside parentheses separate the layers of an image. */
  #layersOf(image: string): readonly string[] {
    const layers: string[] = [];
    let depth = 0;
    let start = 0;
    for (let at = 0; at < image.length; at += 1) {
      const character = image[at];
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
      else if (character === ',' && depth === 0) {
        layers.push(image.slice(start, at).trim());
        start = at + 1;
      }
    }
    return [...layers, image.slice(start).trim()];
  }
}
