/** The computed style properties that make a box a containing block. */
export interface ContainingBlockStyle {
  readonly transform: string;
  readonly translate: string;
  readonly rotate: string;
  readonly scale: string;
  readonly offsetPath: string;
  readonly transformStyle: string;
  readonly perspective: string;
  readonly filter: string;
  readonly backdropFilter: string;
  readonly willChange: string;
  readonly contain: string;
  readonly contentVisibility: string;
}

/**
 * Whether a box contains even fixed descendants, according to CSS Transforms 2, Motion Path 1, Filter Effects 1 and 2, Will Change 1 and
 * Containment 2. Does not apply to inline boxes or `display: contents`. Must not capture outer variables, because pages run it, too.
 */
export function isFixedContainingBlock(style: ContainingBlockStyle): boolean {
  const { transform, translate, rotate, scale, offsetPath, perspective, filter, backdropFilter } = style;
  return (
    [transform, translate, rotate, scale, offsetPath, perspective, filter, backdropFilter].some(
      (value) => value !== 'none' && value !== '',
    ) ||
    style.transformStyle === 'preserve-3d' ||
    /transform|translate|rotate|scale|offset-path|perspective|filter|contain/.test(style.willChange) ||
    /layout|paint|strict|content/.test(style.contain) ||
    style.contentVisibility === 'auto'
  );
}
