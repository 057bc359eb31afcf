type Property = 'transform' | 'translate' | 'rotate' | 'scale' | 'perspective' | 'filter' | 'backdrop-filter' | 'will-change' | 'contain';

/**
 * Whether an element's box holds even what is fixed in it: CSS Transforms 2, Filter Effects 2 and CSS Containment 3, as Chromium does it. Of an
 * element with a box of its own: inline text is not transformed. `get` answers computed values. Runs here and in pages: closes over nothing.
 */
export function holdsFixed(get: (name: Property) => string): boolean {
  const effects: readonly Property[] = ['transform', 'translate', 'rotate', 'scale', 'perspective', 'filter', 'backdrop-filter'];
  return (
    effects.some((name) => !['none', ''].includes(get(name))) ||
    /transform|translate|rotate|scale|perspective|filter/.test(get('will-change')) ||
    /layout|paint|strict|content/.test(get('contain'))
  );
}
