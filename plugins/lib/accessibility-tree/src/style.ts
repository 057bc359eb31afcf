import { combine, flowOf, isFixedContainingBlock, type Linear, Paint, parseRotate, parseTransform } from './visibility/index.js';

const paint = new Paint();

/** The computed style properties that are read, in this order. */
export const STYLES = [
  'display',
  'flex-direction',
  'visibility',
  'opacity',
  'position',
  'overlay',
  'z-index',
  'overflow-x',
  'overflow-y',
  'direction',
  'writing-mode',
  'zoom',
  'cursor',
  'pointer-events',
  'background-color',
  'background-image',
  'background-clip',
  'font-size',
  '-webkit-text-fill-color',
  '-webkit-text-stroke-width',
  'text-shadow',
  'border-top-left-radius',
  'clip',
  'clip-path',
  'mask-image',
  'mix-blend-mode',
  'filter',
  'backdrop-filter',
  'transform',
  'translate',
  'rotate',
  'scale',
  'transform-style',
  'backface-visibility',
  'perspective',
  'will-change',
  'contain',
  'content-visibility',
  'padding-left',
  'padding-top',
  'padding-right',
  'padding-bottom',
] as const;

type StyleName = (typeof STYLES)[number];
type StyleGetter = (name: StyleName) => string;

type Overflow = 'visible' | 'clip' | 'scroll';

/** The part of a computed style that determines what can be seen and clicked. Lengths in CSS pixels. */
export interface Style {
  readonly inline: boolean;
  readonly visible: boolean;
  /** `content-visibility: hidden`. */
  readonly skipsContent: boolean;
  /** Opacity, including `filter` and a transparent mask. */
  readonly opacity: number;
  readonly position: string;
  /** In the top layer: an open modal dialog or popover, or a fullscreen element. No ancestor contains, clips or fades it. */
  readonly inTopLayer: boolean;
  readonly zIndex: number;
  readonly overflowX: Overflow;
  readonly overflowY: Overflow;
  /** Overflows to the left: right-to-left text, columns of it, or items from the right. */
  readonly flowsLeft: boolean;
  /** Overflows upward. */
  readonly flowsUp: boolean;
  /** Its own value, without ancestors. */
  readonly zoom: number;
  /** Its cursor says that it can be clicked or dragged. */
  readonly pointer: boolean;
  readonly takesPointer: boolean;
  /** Paints any background. */
  readonly painted: boolean;
  /** Its background is opaque all over its box, except for the rounded corners. */
  readonly opaque: boolean;
  readonly fontSize: number;
  /** Its text has a color, an outline or a shadow. */
  readonly paintsText: boolean;
  /** Its background shows only through text (`background-clip: text`). */
  readonly fillsText: boolean;
  /** A length or a percentage. */
  readonly radius: string;
  readonly clip: string;
  readonly clipPath: string;
  /** Its box is the containing block of all descendants. */
  readonly isContainingBlock: boolean;
  /** Rotated or skewed: its bounding box is larger than the box. */
  readonly rotated: boolean;
  /** Rotated, skewed or mirrored: its scrollable overflow may be on any side. */
  readonly flipped: boolean;
  readonly transform: Linear | undefined;
  /** `backface-visibility: hidden`. */
  readonly hidesBackface: boolean;
  /** Its descendants share its 3D space. */
  readonly preserves3d: boolean;
  readonly padding: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** Reads a style from its values in the order of `STYLES`. */
export function readStyle(values: readonly string[]): Style {
  const get = (name: StyleName): string => values[STYLES.indexOf(name)] ?? '';
  const alpha = paint.alphaOf(get('background-color'));
  const transform = combine(parseRotate(get('rotate')), parseTransform(get('transform')));
  const flows = flowOf({
    writingMode: get('writing-mode'),
    direction: get('direction'),
    display: get('display'),
    flexDirection: get('flex-direction'),
    // Flex items that wrap to the other side are a known limit.
    flexWrap: 'nowrap',
  });
  return {
    inline: get('display') === 'inline',
    visible: get('visibility') === 'visible',
    skipsContent: get('content-visibility') === 'hidden',
    opacity: paint.isTransparentImage(get('mask-image')) ? 0 : Number(get('opacity')) * paint.filterOpacity(get('filter')),
    position: get('position'),
    inTopLayer: get('overlay') === 'auto',
    zIndex: Number(get('z-index')) || 0,
    overflowX: overflowOf(get, 'overflow-x'),
    overflowY: overflowOf(get, 'overflow-y'),
    flowsLeft: flows.left,
    flowsUp: flows.up,
    zoom: Number(get('zoom')) || 1,
    pointer: ['pointer', 'grab', 'move'].includes(get('cursor')),
    takesPointer: get('pointer-events') !== 'none',
    painted: alpha > 0 || get('background-image') !== 'none',
    opaque: alpha === 1 && fillsBox(get) && !isBlended(get),
    fontSize: pixels(get('font-size')),
    paintsText:
      paint.alphaOf(get('-webkit-text-fill-color')) > 0 || get('text-shadow') !== 'none' || pixels(get('-webkit-text-stroke-width')) > 0,
    fillsText: /(^|,\s*)text\b/.test(get('background-clip')),
    radius: get('border-top-left-radius'),
    clip: get('clip'),
    clipPath: get('clip-path'),
    isContainingBlock: isContainingBlock(get),
    ...orientationOf(get, transform),
    transform,
    hidesBackface: get('backface-visibility') === 'hidden',
    preserves3d: get('transform-style') === 'preserve-3d',
    padding: paddingOf(get),
  };
}

function paddingOf(get: StyleGetter): Style['padding'] {
  const side = (name: 'left' | 'top' | 'right' | 'bottom') => pixels(get(`padding-${name}`));
  return { left: side('left'), top: side('top'), right: side('right'), bottom: side('bottom') };
}

/** Paint containment clips overflow (CSS Containment 2). Neither it nor overflow applies to table rows or to inline ruby. */
function overflowOf(get: StyleGetter, axis: 'overflow-x' | 'overflow-y'): Overflow {
  const value = get(axis);
  if (/^(ruby|table-(row|header|footer|column))/.test(get('display'))) return 'visible';
  if (value === 'auto' || value === 'scroll') return 'scroll';
  return value === 'hidden' || value === 'clip' || /paint|strict|content/.test(get('contain')) ? 'clip' : 'visible';
}

function fillsBox(get: StyleGetter): boolean {
  return (
    get('display') !== 'inline' &&
    get('background-clip')
      .split(/,\s*/)
      .every((box) => box === 'border-box')
  );
}

/** What is beneath shows through its pixels, whatever its color. */
function isBlended(get: StyleGetter): boolean {
  return get('mix-blend-mode') !== 'normal' || get('filter') !== 'none' || get('mask-image') !== 'none';
}

/** `forceContentVisibility` lays out skipped content meanwhile and adds containment; motion paths are not read. */
function isContainingBlock(get: StyleGetter): boolean {
  return isFixedContainingBlock({
    transform: get('transform'),
    translate: get('translate'),
    rotate: get('rotate'),
    scale: get('scale'),
    transformStyle: get('transform-style'),
    perspective: get('perspective'),
    filter: get('filter'),
    backdropFilter: get('backdrop-filter'),
    willChange: get('will-change'),
    contain: get('contain'),
    contentVisibility: 'visible',
    offsetPath: 'none',
  });
}

function orientationOf(get: StyleGetter, transform: Linear | undefined): Pick<Style, 'rotated' | 'flipped'> {
  const [a, b, , c, d] = transform ?? [1, 0, 0, 0, 1];
  const isSkewed = get('transform').startsWith('matrix3d') || Math.abs(b) > 1e-6 || Math.abs(c) > 1e-6;
  const rotated = isSkewed || !['none', ''].includes(get('rotate'));
  return { rotated, flipped: rotated || a < 0 || d < 0 || get('scale').includes('-') };
}

function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}
