/** Where captions are shown. A rectangle has its sides as distances from the left or upper edge, as a function of the video's side. */
export type CaptionsArea = 'top' | 'bottom' | 'center' | Rectangle;

interface Rectangle {
  readonly top: Side;
  readonly right: Side;
  readonly bottom: Side;
  readonly left: Side;
}

/** Pixels from the left or upper edge, in a video with that width or height. */
type Side = (size: number) => number;

export interface VideoSize {
  readonly width: number;
  readonly height: number;
}

/** In pixels of the video. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const AREA_FORMS = 'top, bottom, center, rect(TOP RIGHT BOTTOM LEFT) or inset(TOP RIGHT BOTTOM LEFT), each side in px or %';

const FUNCTION = /^(rect|inset)\(([^()]*)\)$/;
const LENGTH = /^(\d+(?:\.\d+)?|\.\d+)(px|%)$|^0$/;

/** Undefined: the text has none of the forms. `rect` counts from the left and upper edge and `inset` from each edge, as in CSS (css-shapes-1). */
export function readCaptionsArea(text: string): CaptionsArea | undefined {
  if (text === 'top' || text === 'bottom' || text === 'center') return text;
  const [, name, list = ''] = FUNCTION.exec(text) ?? [];
  const sides = list.trim().split(/\s+/).map(readSide);
  const [top, right, bottom, left] = sides;
  if (name === undefined || sides.length !== 4) return undefined;
  if (top === undefined || right === undefined || bottom === undefined || left === undefined) return undefined;
  if (name === 'rect') return { top, right, bottom, left };
  return { top, right: fromEnd(right), bottom: fromEnd(bottom), left };
}

function readSide(text: string): Side | undefined {
  const [whole, number = '0', unit] = LENGTH.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return (size) => (unit === '%' ? (Number(number) * size) / 100 : Number(number));
}

function fromEnd(side: Side): Side {
  return (size) => size - side(size);
}

/** The part of the rectangle that is in the video; undefined if there is none. */
export function toBox({ top, right, bottom, left }: Rectangle, { width, height }: VideoSize): Box | undefined {
  const within = (value: number, size: number): number => Math.round(Math.min(Math.max(value, 0), size));
  const box = {
    left: within(left(width), width),
    top: within(top(height), height),
    right: within(right(width), width),
    bottom: within(bottom(height), height),
  };
  return box.left < box.right && box.top < box.bottom ? box : undefined;
}
