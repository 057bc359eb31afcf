import { flowOf } from './flow.js';
import { Paint } from './paint.js';
import { isFixedContainingBlock } from './visibility/containing-block.js';
import { combine, parseRotate, parseTransform, type Linear } from './transform.js';

const paint = new Paint();

/** The computed style properties that are read, in this order. */
export const STYLES = [
  'display',
  'flex-direction',
  'flex-wrap',
  'visibility',
  'opacity',
  'position',
  'overlay',
  'z-index',
  'overflow-x',
  'overflow-y',
  'overflow-clip-margin',
  'animation-name',
  'direction',
  'writing-mode',
  'zoom',
  'cursor',
  'pointer-events',
  'background-color',
  'background-image',
  'background-clip',
  'background-repeat',
  'font-size',
  '-webkit-text-fill-color',
  '-webkit-text-stroke-width',
  'text-shadow',
  'object-fit',
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
  'padding-left',
  'padding-top',
  'padding-right',
  'padding-bottom',
] as const;

type StyleName = (typeof STYLES)[number];

type Overflow = 'visible' | 'clip' | 'scroll';

/** The part of a computed style that determines what can be seen and clicked. Lengths in CSS pixels. */
export interface Style {
  readonly inline: boolean;
  readonly flexible: boolean;
  readonly visible: boolean;
  /** Opacity, including `filter` and a transparent mask. */
  readonly opacity: number;
  readonly position: string;
  /** In the top layer: an open modal dialog or popover, or a fullscreen element. No ancestor contains, clips or fades it. */
  readonly topmost: boolean;
  readonly zIndex: number;
  readonly overflowX: Overflow;
  readonly overflowY: Overflow;
  /** Animated, possibly by an animation that has not begun yet. */
  readonly animated: boolean;
  /** Overflow clip margin: how far overflow remains visible, measured from the padding box. */
  readonly clipMargin: number;
  /** Overflows to the left: right-to-left text, columns of it, or items from the right. */
  readonly flowsLeft: boolean;
  /** Overflows upward. */
  readonly flowsUp: boolean;
  /** Vertical lines, in either direction. */
  readonly vertical: boolean;
  /** Its own value, without ancestors. */
  readonly zoom: number;
  readonly pointer: boolean;
  readonly hittable: boolean;
  /** Paints any background. */
  readonly painted: boolean;
  /** Its background is opaque all over its box, except for the rounded corners. */
  readonly opaque: boolean;
  /** Whether an image is opaque depends on its pixels. */
  readonly fills: boolean;
  readonly fontSize: number;
  /** Its text has a color, an outline or a shadow. */
  readonly inked: boolean;
  /** Its background shows only through its text (`background-clip: text`). */
  readonly textured: boolean;
  /** A length or a percentage. */
  readonly radius: string;
  readonly clip: string;
  readonly clipPath: string;
  /** Its box is the containing block of all descendants. */
  readonly contains: boolean;
  /** Rotated or skewed: its bounding box is larger than the box. */
  readonly skewed: boolean;
  /** Skewed or mirrored: its scrollable overflow may be on any side. */
  readonly turned: boolean;
  readonly transform: Linear | undefined;
  /** Not painted when its back faces the viewer. */
  readonly oneSided: boolean;
  /** Its descendants share its 3D space. */
  readonly deep: boolean;
  readonly padding: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
}

/** Reads a style from its values in the order of `STYLES`. */
export function readStyle(values: readonly string[]): Style {
  const get = (name: StyleName): string => values[STYLES.indexOf(name)] ?? '';
  const alpha = paint.alphaOf(get('background-color'));
  const image = get('background-image');
  const covers = coversWhatIsBeneath(get);
  const flows = flowOf({
    writingMode: get('writing-mode'),
    direction: get('direction'),
    display: get('display'),
    flexDirection: get('flex-direction'),
    flexWrap: get('flex-wrap'),
  });
  return {
    inline: get('display') === 'inline',
    flexible: /flex|grid/.test(get('display')),
    visible: get('visibility') === 'visible',
    opacity: paint.isTransparentImage(get('mask-image')) ? 0 : Number(get('opacity')) * paint.filterOpacity(get('filter')),
    position: get('position'),
    topmost: get('overlay') === 'auto',
    zIndex: Number(get('z-index')) || 0,
    ...overflowsOf(get),
    animated: !['none', ''].includes(get('animation-name')),
    flowsLeft: flows.left,
    flowsUp: flows.up,
    vertical: !['horizontal-tb', ''].includes(get('writing-mode')),
    zoom: Number(get('zoom')) || 1,
    pointer: ['pointer', 'grab', 'move'].includes(get('cursor')),
    hittable: get('pointer-events') !== 'none',
    painted: alpha > 0 || image !== 'none',
    opaque: covers && coversItsBox(get) && (alpha === 1 || paint.isOpaqueImage(image, get('background-repeat'))),
    fills: covers && ['fill', 'cover'].includes(get('object-fit')),
    fontSize: pixels(get('font-size')),
    inked:
      paint.alphaOf(get('-webkit-text-fill-color')) > 0 || get('text-shadow') !== 'none' || pixels(get('-webkit-text-stroke-width')) > 0,
    textured: /(^|,\s*)text\b/.test(get('background-clip')),
    radius: get('border-top-left-radius'),
    clip: get('clip'),
    clipPath: get('clip-path'),
    contains: isContainingBlock(get),
    ...turnsOf(get),
    transform: combine(parseRotate(get('rotate')), parseTransform(get('transform'))),
    oneSided: get('backface-visibility') === 'hidden',
    deep: get('transform-style') === 'preserve-3d' && !isFlattened(get),
    padding: paddingOf(get),
  };
}

function paddingOf(get: (name: StyleName) => string): Style['padding'] {
  const side = (name: 'left' | 'top' | 'right' | 'bottom') => pixels(get(`padding-${name}`));
  return { left: side('left'), top: side('top'), right: side('right'), bottom: side('bottom') };
}

function overflowsOf(get: (name: StyleName) => string): Pick<Style, 'overflowX' | 'overflowY' | 'clipMargin'> {
  return { overflowX: overflowOf(get, 'overflow-x'), overflowY: overflowOf(get, 'overflow-y'), clipMargin: clipMarginOf(get) };
}

/** Paint containment clips overflow (CSS Containment 2). Neither it nor overflow applies to table rows or to inline ruby. */
function overflowOf(get: (name: StyleName) => string, axis: 'overflow-x' | 'overflow-y'): Overflow {
  const value = get(axis);
  if (/^(ruby|table-(row|header|footer|column))/.test(get('display'))) return 'visible';
  if (value === 'auto' || value === 'scroll') return 'scroll';
  return value === 'hidden' || value === 'clip' || containsPaint(get) ? 'clip' : 'visible';
}

function containsPaint(get: (name: StyleName) => string): boolean {
  return /paint|strict|content/.test(get('contain'));
}

/** CSS Overflow 4: does not apply to boxes that can be scrolled by scripts. */
function clipMarginOf(get: (name: StyleName) => string): number {
  const clips = [get('overflow-x'), get('overflow-y')].some((value) => value === 'clip' || (value === 'visible' && containsPaint(get)));
  return clips ? pixels(/[\d.]+px/.exec(get('overflow-clip-margin'))?.[0] ?? '') : 0;
}

function coversItsBox(get: (name: StyleName) => string): boolean {
  return (
    get('display') !== 'inline' &&
    get('background-clip')
      .split(/,\s*/)
      .every((box) => box === 'border-box')
  );
}

function coversWhatIsBeneath(get: (name: StyleName) => string): boolean {
  return get('mix-blend-mode') === 'normal' && get('filter') === 'none' && get('mask-image') === 'none';
}

/** CSS Transforms 2, grouping properties: they flatten `preserve-3d`. */
function isFlattened(get: (name: StyleName) => string): boolean {
  return (
    get('opacity') !== '1' ||
    get('overflow-x') !== 'visible' ||
    get('overflow-y') !== 'visible' ||
    get('clip-path') !== 'none' ||
    !coversWhatIsBeneath(get)
  );
}

/** `forceContentVisibility` lays out skipped content meanwhile and adds containment; motion paths are not read. */
function isContainingBlock(get: (name: StyleName) => string): boolean {
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

function turnsOf(get: (name: StyleName) => string): Pick<Style, 'skewed' | 'turned'> {
  const [, a = '1', d = '1'] = /^matrix\(([^,]*),[^,]*,[^,]*,([^,]*),/.exec(get('transform')) ?? [];
  const mirrors = Number(a) < 0 || Number(d) < 0 || get('scale').includes('-');
  const skewed = isSkewed(get('transform')) || !['none', ''].includes(get('rotate'));
  return { skewed, turned: skewed || mirrors };
}

function isSkewed(transform: string): boolean {
  if (transform.startsWith('matrix3d')) return true;
  const [, b = '0', c = '0'] = /^matrix\(([^)]*)\)$/.exec(transform)?.[1]?.split(',') ?? [];
  return Math.abs(Number(b)) > 1e-6 || Math.abs(Number(c)) > 1e-6;
}

function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}
