import type { DomNode } from '../document.js';
import { shouldYield, yieldToEventLoop } from '../yielding.js';
import { contentBox, place } from '../placement.js';
import { intersect, shrink } from '../rect.js';
import { createOcclusionTest, type Painted } from './occlusion.js';
import type { NodeVisibility } from './regions.js';
import type { SeenFrame } from './compute-frames.js';

/** The parts of a frame's nodes that a user can see, by node index. */
export interface Visibility {
  /** Part of the node's own box is visible, whether or not it paints anything. */
  readonly own: ReadonlySet<number>;
  /** Something painted in it is visible. */
  readonly content: ReadonlySet<number>;
}

/** A lower opacity is indistinguishable from full transparency. */
const TRANSPARENT = 0.01;
const OPAQUE = 0.99;
/** CSS pixels of a font. */
const SMALL_TEXT = 2;
/** CSS pixels of a line of such text, whose ascent and descent are rounded. */
const SMALL_LINE = 3;
/** The fraction of its radius by which a rounded corner shrinks the inscribed rectangle. */
const CORNER = 1 - Math.SQRT1_2;

/** Elements that are laid out as text: a background has no effect on them. */
const LINE_BREAKS = new Set(['BR', 'WBR']);
const PAINTED_TAGS = new Set('IMG CANVAS VIDEO AUDIO SVG INPUT SELECT TEXTAREA BUTTON OBJECT EMBED METER PROGRESS HR MATH'.split(' '));

/** Checks all frames together, because opaque content in one frame covers content in others. */
export async function computeVisibility(frames: readonly SeenFrame[]): Promise<ReadonlyMap<SeenFrame, Visibility>> {
  const isCovered = createOcclusionTest(frames.flatMap((frame) => [...coversOf(frame), ...canvasOf(frame)]));
  const computed = new Map<SeenFrame, Visibility>();
  for (const frame of frames) {
    const own = new Set<number>();
    const painted: NodeVisibility[] = [];
    for (const sight of frame.sights.values()) {
      if (shouldYield()) await yieldToEventLoop();
      if (!isShown(sight) || isCovered(toPainted(sight, frame, sight.shown ?? sight.bounds))) continue;
      own.add(sight.node.index);
      if (paints(sight, frame)) painted.push(sight);
    }
    computed.set(frame, { own, content: withAncestors(painted, frame) });
  }
  return computed;
}

function isShown({ box, bounds, shown, opacity }: NodeVisibility): boolean {
  return box.style.visible && opacity > TRANSPARENT && shown !== undefined && bounds.width > 0 && bounds.height > 0;
}

function paints(sight: NodeVisibility, frame: SeenFrame): boolean {
  const { node, box } = sight;
  const isText = box.text.trim() !== '' && isReadable(sight, frame) && (box.style.inked || isTextured(node, frame));
  if (isText || node.kind === 'text' || LINE_BREAKS.has(node.tag)) return isText;
  return PAINTED_TAGS.has(node.tag) || (box.style.painted && !isCanvas(node));
}

/** Text of one or two pixels is not meant for readers. The lines of rotated text and of drawings have no height of their own. */
function isReadable({ node, box, bounds, skewed }: NodeVisibility, { placement }: SeenFrame): boolean {
  if (node.drawing === 'part') return Math.min(bounds.width, bounds.height) > SMALL_TEXT;
  if (skewed) return box.style.fontSize * box.zoom * placement.scaleY > SMALL_TEXT;
  return box.line === 0 || box.line * placement.scaleY > SMALL_LINE;
}

/** Text without a color shows the background clipped to it. */
function isTextured(node: DomNode, { document }: SeenFrame): boolean {
  for (let at: DomNode | undefined = node; at !== undefined; at = document.nodes[at.parent]) {
    if (at.box?.style.textured === true && at.box.style.painted) return true;
  }
  return false;
}

/** Their background applies to the document. */
function isCanvas({ tag }: DomNode): boolean {
  return tag === 'HTML' || tag === 'BODY';
}

function withAncestors(sights: readonly NodeVisibility[], { document }: SeenFrame): ReadonlySet<number> {
  const marked = new Set<number>();
  for (const { node } of sights) {
    for (let at: DomNode | undefined = node; at !== undefined && !marked.has(at.index); at = document.nodes[at.parent])
      marked.add(at.index);
  }
  return marked;
}

function coversOf(frame: SeenFrame): readonly Painted[] {
  return [...frame.sights.values()].flatMap((sight) => {
    const { node, image, box, bounds, shown, opacity, skewed } = sight;
    const { clipPath, radius } = box.style;
    const area = coveredBy(sight, frame);
    if (
      node.kind !== 'element' ||
      image !== undefined ||
      area === undefined ||
      opacity < OPAQUE ||
      skewed ||
      !/^(none$|inset)/.test(clipPath)
    )
      return [];
    if (!isShown(sight) || isCanvas(node) || shown === undefined) return [];
    const rect = intersect(shrink(area, CORNER * pixelsOf(radius, Math.min(bounds.width, bounds.height))), shown);
    return rect === undefined ? [] : [toPainted(sight, frame, rect)];
  });
}

/** The area that the element's background or image hides. */
function coveredBy({ node, box }: NodeVisibility, { placement }: SeenFrame): Painted['rect'] | undefined {
  // Parts of a drawing have no background.
  if (node.drawing === 'part') return undefined;
  if (box.style.opaque) return place(box.border, placement);
  return node.solid && box.style.fills ? contentBox(box, placement) : undefined;
}

/** A frame whose document has a background covers everything under its window. */
function canvasOf(frame: SeenFrame): readonly Painted[] {
  const { document, owner, window, opacity, skewed, orders } = frame;
  const [root] = document.nodes;
  const isOpaque = document.nodes.some((node) => isCanvas(node) && node.box?.style.opaque === true);
  if (owner === undefined || root === undefined || !isOpaque || opacity < OPAQUE || skewed) return [];
  return window.clip.width > 0 ? [{ rect: window.clip, order: orders[0] ?? 0, scroller: window.scroller, frame, node: root }] : [];
}

function toPainted({ node, image = node, scroller }: NodeVisibility, frame: SeenFrame, rect: Painted['rect']): Painted {
  return { rect, order: frame.orders[image.index] ?? 0, scroller, frame, node };
}

function pixelsOf(radius: string, side: number): number {
  const number = Number.parseFloat(radius) || 0;
  return Math.min(side / 2, radius.includes('%') ? (number / 100) * side : number);
}
