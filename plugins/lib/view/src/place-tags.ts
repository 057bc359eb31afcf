import type { Rect } from '@platen/kernel';

/** The box of an element, and the size of its tag, in pixels. */
export interface TagRequest {
  readonly box: Rect;
  readonly width: number;
  readonly height: number;
}

/** A tag in a box of fewer tag heights hides the element's own text. */
const ROOMY = 3;

/** A place for each tag, with as little of other tags and boxes under it as possible: inside large boxes, else beside the box. */
export function placeTags(requests: readonly TagRequest[], image: { readonly width: number; readonly height: number }): readonly Rect[] {
  const taken: Rect[] = [];
  const isInImage = ({ x, y, width, height }: Rect) => x >= 0 && y >= 0 && x + width <= image.width && y + height <= image.height;
  const isFree = (place: Rect) => !taken.some((tag) => overlaps(tag, place));
  return requests.map((request) => {
    const { inside, outside } = candidates(request);
    const isClear = (place: Rect) =>
      !requests.some(({ box }) => box !== request.box && overlaps(box, place) && !contains(box, request.box));
    const [first, second] = (isRoomy(request) ? [inside, outside] : [outside, inside]).map((places) => places.filter(isInImage));
    const best = [first, second].map((places = []) => places.filter(isFree));
    const place = best[0]?.find(isClear) ?? best[0]?.[0] ?? best[1]?.[0] ?? within(request, image);
    taken.push(place);
    return place;
  });
}

function isRoomy({ box, width, height }: TagRequest): boolean {
  return box.height >= ROOMY * height && box.width >= ROOMY * width;
}

function candidates({ box: { x, y, width, height }, ...size }: TagRequest): Readonly<Record<'inside' | 'outside', readonly Rect[]>> {
  const right = x + width - size.width;
  const above = y - size.height;
  const toRects = (places: readonly (readonly [number, number])[]) => places.map(([left, top]) => ({ x: left, y: top, ...size }));
  const inside = [
    [right, y],
    [x, y],
    [right, y + height - size.height],
  ] as const;
  const outside = [
    [x, above],
    [right, above],
    [x + width, y],
    [x, y + height],
    [x - size.width, y],
  ] as const;
  return { inside: toRects(inside), outside: toRects(outside) };
}

/** At the box's start, moved into the image. */
function within({ box, width, height }: TagRequest, image: { readonly width: number; readonly height: number }): Rect {
  const clamp = (at: number, most: number) => Math.max(0, Math.min(at, most));
  return { x: clamp(box.x, image.width - width), y: clamp(box.y, image.height - height), width, height };
}

function overlaps(one: Rect, other: Rect): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}
