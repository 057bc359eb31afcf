/** What is asked of every element's style, in this order. */
export const STYLES = [
  'display',
  'visibility',
  'opacity',
  'position',
  'z-index',
  'overflow-x',
  'overflow-y',
  'direction',
  'cursor',
  'pointer-events',
  'background-color',
  'background-image',
  'background-clip',
  'border-top-left-radius',
  'clip',
  'clip-path',
  'mask-image',
  'mix-blend-mode',
  'filter',
  'transform',
  'perspective',
  'will-change',
  'contain',
  'padding-left',
  'padding-top',
  'padding-right',
  'padding-bottom',
] as const;

type StyleName = (typeof STYLES)[number];

type Overflow = 'visible' | 'clip' | 'scroll';

/** A computed style as far as it decides what can be seen and clicked. Lengths in CSS pixels. */
export interface Style {
  readonly inline: boolean;
  readonly flexible: boolean;
  readonly visible: boolean;
  readonly opacity: number;
  readonly position: string;
  readonly zIndex: number;
  readonly overflowX: Overflow;
  readonly overflowY: Overflow;
  readonly rtl: boolean;
  readonly pointer: boolean;
  readonly hittable: boolean;
  /** It paints a background of any kind. */
  readonly painted: boolean;
  /** Its background hides what is beneath, all over its box but the rounded corners. */
  readonly opaque: boolean;
  /** A length or a percentage. */
  readonly radius: string;
  readonly clip: string;
  readonly clipPath: string;
  /** Its box is the containing block of everything in it. */
  readonly contains: boolean;
  /** Turned or sheared: its bounding box is more than itself. */
  readonly skewed: boolean;
  readonly padding: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** Reads a style from its values in the order of `STYLES`. */
export function readStyle(values: readonly string[]): Style {
  const get = (name: StyleName): string => values[STYLES.indexOf(name)] ?? '';
  const alpha = alphaOf(get('background-color'));
  const image = get('background-image');
  return {
    inline: get('display') === 'inline',
    flexible: /flex|grid/.test(get('display')),
    visible: get('visibility') === 'visible',
    opacity: Number(get('opacity')),
    position: get('position'),
    zIndex: Number(get('z-index')) || 0,
    overflowX: overflowOf(get('overflow-x')),
    overflowY: overflowOf(get('overflow-y')),
    rtl: get('direction') === 'rtl',
    pointer: get('cursor') === 'pointer',
    hittable: get('pointer-events') !== 'none',
    painted: alpha > 0 || image !== 'none',
    opaque: alpha === 1 && coversItsBox(get),
    radius: get('border-top-left-radius'),
    clip: get('clip'),
    clipPath: get('clip-path'),
    contains: isContainingBlock(get),
    skewed: isSkewed(get('transform')),
    padding: {
      left: pixels(get('padding-left')),
      top: pixels(get('padding-top')),
      right: pixels(get('padding-right')),
      bottom: pixels(get('padding-bottom')),
    },
  };
}

function overflowOf(value: string): Overflow {
  if (value === 'auto' || value === 'scroll') return 'scroll';
  return value === 'hidden' || value === 'clip' ? 'clip' : 'visible';
}

/** Of a computed colour, which the browser writes as `rgb(r, g, b)`, `rgba(r, g, b, a)` or `color(space r g b / a)`. */
function alphaOf(colour: string): number {
  const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(colour)?.[1] ?? /\/\s*([\d.]+)\)$/.exec(colour)?.[1];
  if (alpha !== undefined) return Number(alpha);
  return colour === '' || colour === 'transparent' ? 0 : 1;
}

function coversItsBox(get: (name: StyleName) => string): boolean {
  return (
    get('display') !== 'inline' &&
    get('background-clip') === 'border-box' &&
    get('mix-blend-mode') === 'normal' &&
    get('filter') === 'none' &&
    get('mask-image') === 'none'
  );
}

/** CSS Transforms, Filter Effects and Containment say which elements hold even what is fixed. */
function isContainingBlock(get: (name: StyleName) => string): boolean {
  return (
    get('transform') !== 'none' ||
    get('perspective') !== 'none' ||
    get('filter') !== 'none' ||
    /transform|perspective|filter/.test(get('will-change')) ||
    /layout|paint|strict|content/.test(get('contain'))
  );
}

function isSkewed(transform: string): boolean {
  if (transform.startsWith('matrix3d')) return true;
  const [, b = '0', c = '0'] = /^matrix\(([^)]*)\)$/.exec(transform)?.[1]?.split(',') ?? [];
  return Math.abs(Number(b)) > 1e-6 || Math.abs(Number(c)) > 1e-6;
}

function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}
