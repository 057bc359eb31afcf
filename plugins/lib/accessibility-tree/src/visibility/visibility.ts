import type { Rect } from '@platen/kernel';
import type { DomNode } from '../document.js';
import { place } from '../placement.js';
import { intersect, shrink } from '../rect.js';
import { shouldYield, yieldToEventLoop } from '../yielding.js';
import type { NodeVisibility } from './clip-chain.js';
import type { PlacedFrame } from './compute-frames.js';
import { createOcclusionTest, type Painted } from './occlusion.js';

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
export async function computeVisibility(frames: readonly PlacedFrame[]): Promise<ReadonlyMap<PlacedFrame, Visibility>> {
  const isCovered = createOcclusionTest(frames.flatMap((frame) => [...coversOf(frame), ...canvasOf(frame)]));
  const computed = new Map<PlacedFrame, Visibility>();
  for (const frame of frames) {
    const own = new Set<number>();
    const content = new Set<number>();
    for (const visibility of frame.nodes.values()) {
      if (shouldYield()) await yieldToEventLoop();
      const { node, bounds, shown } = visibility;
      if (takesInput(visibility, frame)) own.add(node.index);
      const isSeen = isShown(visibility) || isDrawnBeside(visibility, frame);
      if (!isSeen || isCovered(toPainted(visibility, frame, shown ?? bounds))) continue;
      own.add(node.index);
      if (visibility.opacity <= TRANSPARENT || !paints(visibility, frame)) continue;
      for (let at: DomNode | undefined = node; at !== undefined && !content.has(at.index); at = frame.document.nodes[at.parent])
        content.add(at.index);
    }
    computed.set(frame, { own, content });
  }
  return computed;
}

function isShown({ box, bounds, shown, opacity }: NodeVisibility): boolean {
  return box.style.visible && opacity > TRANSPARENT && shown !== undefined && bounds.width > 0 && bounds.height > 0;
}

/** A transparent check box, radio button or slider takes the clicks on what a page has drawn in its place. */
function isDrawnBeside(visibility: NodeVisibility, { nodes }: PlacedFrame): boolean {
  const { node, box } = visibility;
  const { opacity = 1 } = nodes.get(node.parent) ?? {};
  const isControl = node.tag === 'INPUT' && /^(?:checkbox|radio|range)$/i.test(node.attributes.get('type') ?? '');
  return isControl && box.style.takesPointer && box.style.opacity <= TRANSPARENT && isShown({ ...visibility, opacity });
}

/** CSS pixels of a side of something that is there for programs. */
const SLIVER = 3;
/** CSS pixels of a side of an editor. */
const EDITOR = 20;

/** A field of a pixel, or a transparent one, is what a code editor around it gets its input by. */
function takesInput({ node, box, bounds }: NodeVisibility, { document, nodes }: PlacedFrame): boolean {
  const { attributes, tag } = node;
  const isField = (tag === 'TEXTAREA' || attributes.get('role') === 'textbox') && attributes.get('tabindex') !== '-1';
  const isHidden = Math.min(bounds.width, bounds.height) <= SLIVER || box.style.opacity <= TRANSPARENT;
  if (!isField || !isHidden || !box.style.visible) return false;
  for (let at = document.nodes[node.parent]; at !== undefined; at = document.nodes[at.parent]) {
    const around = nodes.get(at.index);
    if (around !== undefined && Math.min(around.bounds.width, around.bounds.height) >= EDITOR) return isShown(around);
  }
  return false;
}

function paints(visibility: NodeVisibility, frame: PlacedFrame): boolean {
  const { node, box } = visibility;
  const isText = box.text.trim() !== '' && isReadable(visibility, frame) && (box.style.paintsText || isFilledText(node, frame));
  if (isText || node.kind === 'text' || LINE_BREAKS.has(node.tag)) return isText;
  return PAINTED_TAGS.has(node.tag) || (box.style.painted && !isCanvas(node));
}

/** Text of one or two pixels is not meant for readers. The lines of rotated text and of drawings have no height of their own. */
function isReadable({ node, box, bounds, rotated }: NodeVisibility, { placement }: PlacedFrame): boolean {
  if (node.drawing === 'part') return Math.min(bounds.width, bounds.height) > SMALL_TEXT;
  if (rotated) return box.style.fontSize * box.zoom * placement.scaleY > SMALL_TEXT;
  return box.line === 0 || box.line * placement.scaleY > SMALL_LINE;
}

/** Text without a color shows the background clipped to it. */
function isFilledText(node: DomNode, { document }: PlacedFrame): boolean {
  for (let at: DomNode | undefined = node; at !== undefined; at = document.nodes[at.parent]) {
    if (at.box?.style.fillsText === true && at.box.style.painted) return true;
  }
  return false;
}

/** Their background applies to the document. */
function isCanvas({ tag }: DomNode): boolean {
  return tag === 'HTML' || tag === 'BODY';
}

/** The areas that opaque backgrounds hide. */
function coversOf(frame: PlacedFrame): readonly Painted[] {
  return [...frame.nodes.values()].flatMap((visibility) => {
    const { node, image, box, bounds, shown, opacity, rotated, beneath } = visibility;
    const { clipPath, opaque, radius } = box.style;
    // Parts of a drawing have no background. Layers with a negative z-index are painted before the content that surrounds them, although
    // the browser's paint order counts them after it (CSS 2, appendix E).
    if (!opaque || node.kind !== 'element' || image !== undefined || node.drawing === 'part' || beneath || rotated) return [];
    if (opacity < OPAQUE || !/^(none$|inset)/.test(clipPath) || !isShown(visibility) || isCanvas(node) || shown === undefined) return [];
    const corner = CORNER * pixelsOf(radius, Math.min(bounds.width, bounds.height));
    const rect = intersect(shrink(place(box.border, frame.placement), corner), shown);
    return rect === undefined ? [] : [toPainted(visibility, frame, rect)];
  });
}

/** A frame whose document has a background covers everything under its window. */
function canvasOf(frame: PlacedFrame): readonly Painted[] {
  const { document, owner, window, orderOf } = frame;
  const [root] = document.nodes;
  const isOpaque = document.nodes.some((node) => isCanvas(node) && node.box?.style.opaque === true);
  if (owner === undefined || root === undefined || !isOpaque) return [];
  const { opacity, rotated, beneath, fixed } = window;
  if (opacity < OPAQUE || rotated || beneath || fixed.clip.width === 0) return [];
  return [{ rect: fixed.clip, order: orderOf(root), scroller: fixed.scroller, frame, node: root }];
}

function toPainted({ node, image = node, scroller }: NodeVisibility, frame: PlacedFrame, rect: Rect): Painted {
  return { rect, order: frame.orderOf(image), scroller, frame, node };
}

function pixelsOf(radius: string, side: number): number {
  const number = Number.parseFloat(radius) || 0;
  return Math.min(side / 2, radius.includes('%') ? (number / 100) * side : number);
}
