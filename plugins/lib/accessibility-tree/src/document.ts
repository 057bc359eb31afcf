import type { Rect, Result } from '@platen/kernel';
import { shouldYield, yieldToEventLoop } from './yielding.js';
import { NOWHERE, union } from './rect.js';
import { readStyle, type Style } from './style.js';

/** SVG 2, never-rendered elements, and elements that are drawn only by reference. */
const PATTERNS = new Set(['CLIPPATH', 'DEFS', 'LINEARGRADIENT', 'MARKER', 'MASK', 'PATTERN', 'RADIALGRADIENT', 'SYMBOL']);

type Snapshot = Result<'DOMSnapshot.captureSnapshot'>;
type RawDocument = Snapshot['documents'][number];

/** Position of a DOM node on the page, in CSS pixels of its document, including scrolling. */
export interface Box {
  readonly bounds: Rect;
  /** The box without generated text, which may overflow it: the area that the background fills. */
  readonly border: Rect;
  /** The rendered text of a text node. */
  readonly text: string;
  /** Height of its highest line of text; 0 if it has none. */
  readonly line: number;
  readonly style: Style;
  /** Zoom factor of the node's own pixels within its document. */
  readonly zoom: number;
  /** Paint rank of its layer. */
  readonly order: number;
  /** Relative to the border box and without transformations; undefined for text. */
  readonly client: Rect | undefined;
  /** Position and size of its scrollable content. */
  readonly scroll: Rect | undefined;
  readonly offset: Rect | undefined;
}

/** One node of the flat tree: slotted nodes are children of their slot. */
export interface DomNode {
  readonly index: number;
  /** -1 for the document itself. */
  readonly parent: number;
  /** Index of the last node in its subtree; a document's nodes are in preorder. */
  readonly end: number;
  readonly kind: 'element' | 'text' | 'other';
  /** In upper case. */
  readonly tag: string;
  readonly backendId: number;
  readonly attributes: ReadonlyMap<string, string>;
  /** Responds to clicks, through a listener or by its element type. */
  readonly clickable: boolean;
  /** A selected option. */
  readonly selected: boolean;
  /** A checked check box or radio button. */
  readonly checked: boolean;
  readonly drawing: Drawing;
  /** Undefined if nothing of it is laid out. */
  readonly box: Box | undefined;
}

export interface DomDocument {
  readonly frameId: string;
  readonly url: string;
  readonly title: string;
  readonly nodes: readonly DomNode[];
  readonly byBackendId: ReadonlyMap<number, DomNode>;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scrolled: { readonly x: number; readonly y: number };
  readonly content: { readonly width: number; readonly height: number };
  /** Documents of frames in the same session: index in the snapshot by the owner element's index. */
  readonly embedded: ReadonlyMap<number, number>;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** Unpacks a snapshot's tables: one document per frame of the session. `unit`: snapshot pixels per CSS pixel. */
export async function readDocuments({ documents, strings }: Snapshot, unit: number): Promise<readonly DomDocument[]> {
  const text = (index: number | undefined): string => strings[index ?? -1] ?? '';
  const style = createStyleReader(text);
  const read: DomDocument[] = [];
  for (const raw of documents) read.push(await readDocument(raw, { text, style, unit }));
  return read;
}

interface Readers {
  readonly text: (index: number | undefined) => string;
  readonly style: (indices: readonly number[]) => Style;
  readonly unit: number;
}

/** Reads each distinct style once: most of a page's thousands of styles are equal. */
function createStyleReader(text: Readers['text']): Readers['style'] {
  const known = new Map<number, { readonly indices: readonly number[]; readonly style: Style }[]>();
  return (indices) => {
    let hash = 0;
    for (const index of indices) hash = (Math.imul(hash, 31) + index) | 0;
    const alike = known.get(hash) ?? [];
    const found = alike.find((one) => isSame(one.indices, indices));
    if (found !== undefined) return found.style;
    const style = readStyle(indices.map(text));
    known.set(hash, [...alike, { indices, style }]);
    return style;
  };
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((index, at) => index === other[at]);
}

async function readDocument(raw: RawDocument, readers: Readers): Promise<DomDocument> {
  const { text, unit } = readers;
  const boxes = await readBoxes(raw, readers);
  const { nodeType = [], nodeName = [], backendNodeId = [], attributes = [], parentIndex = [] } = raw.nodes;
  const clickable = new Set(raw.nodes.isClickable?.index);
  const selected = new Set(raw.nodes.optionSelected?.index);
  const checked = new Set(raw.nodes.inputChecked?.index);
  const skipped: boolean[] = [];
  const summarized = new Set<number>();
  const ends = endsOf(parentIndex);
  const tags = nodeName.map((name) => text(name).toUpperCase());
  const drawings = drawingsOf(tags, parentIndex);
  const nodes: DomNode[] = [];
  const byBackendId = new Map<number, DomNode>();
  for (let index = 0; index < nodeType.length; index += 1) {
    if (shouldYield()) await yieldToEventLoop();
    const type = nodeType[index];
    const parent = parentIndex[index] ?? -1;
    skipped[index] = skipped[parent] === true || isSkipped({ parent, tag: tags[index] }, { before: nodes, summarized });
    const node: DomNode = {
      index,
      parent,
      end: ends[index] ?? index,
      kind: type === 1 ? 'element' : type === 3 ? 'text' : 'other',
      tag: tags[index] ?? '',
      backendId: backendNodeId[index] ?? 0,
      attributes: readAttributes(attributes[index], text),
      clickable: clickable.has(index),
      selected: selected.has(index),
      checked: checked.has(index),
      drawing: drawings[index],
      box: drawings[index] === 'pattern' || skipped[index] ? undefined : boxes.get(index),
    };
    nodes.push(node);
    byBackendId.set(node.backendId, node);
  }
  const { width, height } = nodes[0]?.box?.bounds ?? { width: 0, height: 0 };
  const { index: owners = [], value: embedded = [] } = raw.nodes.contentDocumentIndex ?? {};
  return {
    frameId: text(raw.frameId),
    url: text(raw.documentURL),
    title: text(raw.title),
    nodes,
    byBackendId,
    viewport: { width, height },
    scrolled: { x: (raw.scrollOffsetX ?? 0) / unit, y: (raw.scrollOffsetY ?? 0) / unit },
    content: { width: (raw.contentWidth ?? 0) / unit, height: (raw.contentHeight ?? 0) / unit },
    embedded: new Map(owners.map((owner, at) => [owner, embedded[at] ?? -1])),
  };
}

/** The content of a closed `details` has a box once a script has measured it. Its first summary is not part of it. */
function isSkipped(
  { parent, tag }: { readonly parent: number; readonly tag: string | undefined },
  { before, summarized }: Skipping,
): boolean {
  const owner = before[parent];
  if (owner?.tag !== 'DETAILS' || owner.attributes.has('open')) return owner?.box?.style.skipsContent === true;
  if (tag !== 'SUMMARY' || summarized.has(parent)) return true;
  summarized.add(parent);
  return false;
}

interface Skipping {
  readonly before: readonly DomNode[];
  /** Closed `details` whose summary was met, by index. */
  readonly summarized: Set<number>;
}

/** The last index of each node's subtree. */
function endsOf(parents: readonly number[]): readonly number[] {
  const ends = parents.map((_, index) => index);
  for (let index = parents.length - 1; index > 0; index -= 1) {
    const parent = parents[index] ?? -1;
    if (parent >= 0) ends[parent] = Math.max(ends[parent] ?? 0, ends[index] ?? 0);
  }
  return ends;
}

function readAttributes(indices: readonly number[] = [], text: Readers['text']): ReadonlyMap<string, string> {
  if (indices.length === 0) return NO_ATTRIBUTES;
  const attributes = new Map<string, string>();
  for (let at = 0; at < indices.length; at += 2) attributes.set(text(indices[at]), text(indices[at + 1]));
  return attributes;
}

/**
 * By node index. A node with several boxes (`::first-letter`, generated content and the text in it) gets the box around all of them; the
 * first box is the element's own.
 */
async function readBoxes(
  { layout, textBoxes, nodes: { parentIndex = [], nodeType = [] } }: RawDocument,
  { text, style, unit }: Readers,
): Promise<ReadonlyMap<number, Box>> {
  const lines = linesOf(textBoxes, unit);
  const boxes = new Map<number, Box>();
  const zoomOf = (node: number): number => {
    for (let at: number | undefined = node; at !== undefined && at >= 0; at = parentIndex[at]) {
      const known = boxes.get(at);
      if (known !== undefined) return known.zoom;
    }
    return 1;
  };
  for (let at = 0; at < layout.nodeIndex.length; at += 1) {
    if (shouldYield()) await yieldToEventLoop();
    const node = layout.nodeIndex[at] ?? -1;
    const earlier = boxes.get(node);
    const bounds = toRect(layout.bounds[at], unit) ?? NOWHERE;
    const line = lines.get(at) ?? 0;
    if (earlier !== undefined) {
      const grown = { bounds: union(earlier.bounds, bounds), line: Math.max(earlier.line, line) };
      boxes.set(node, { ...earlier, ...grown, text: earlier.text + text(layout.text[at]) });
      continue;
    }
    const own = style(layout.styles[at] ?? []);
    boxes.set(node, {
      bounds,
      border: bounds,
      text: text(layout.text[at]),
      line,
      style: own,
      // A text has its element's style.
      zoom: zoomOf(parentIndex[node] ?? -1) * (nodeType[node] === 1 ? own.zoom : 1),
      order: layout.paintOrders?.[at] ?? 0,
      client: toRect(layout.clientRects?.[at]),
      scroll: toRect(layout.scrollRects?.[at]),
      offset: toRect(layout.offsetRects?.[at]),
    });
  }
  return boxes;
}

/** Characters of a line that is longer than high, in whatever direction it runs. */
const LONG_LINE = 4;

/** Height in CSS pixels of the highest line of each text, by layout index. Vertical lines, and those turned upright, have their width. */
function linesOf({ layoutIndex, bounds, length }: RawDocument['textBoxes'], unit: number): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  for (let at = 0; at < layoutIndex.length; at += 1) {
    const { width = 0, height = 0 } = toRect(bounds[at], unit) ?? {};
    const index = layoutIndex[at] ?? -1;
    const line = (length[at] ?? 0) < LONG_LINE ? height : Math.min(width, height);
    lines.set(index, Math.max(lines.get(index) ?? 0, line));
  }
  return lines;
}

function toRect(numbers: readonly number[] | undefined, unit = 1): Rect | undefined {
  if (numbers === undefined) return undefined;
  // By index: destructuring would iterate, four times per element.
  const x = numbers[0];
  const y = numbers[1];
  const width = numbers[2];
  const height = numbers[3];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return { x: x / unit, y: y / unit, width: width / unit, height: height / unit };
}

/**
 * The role of a node in an SVG drawing. Undefined: none, or the outermost `svg`, which has a box like any other element. `part`: has no CSS
 * box (SVG 2), so no position or padding, and does not clip. `pattern`: is drawn only where it is referenced.
 */
type Drawing = 'part' | 'pattern' | undefined;

/** By node index; nodes in preorder, tags in upper case. */
function drawingsOf(tags: readonly string[], parents: readonly number[]): readonly Drawing[] {
  const drawings: Drawing[] = [];
  tags.forEach((tag, index) => {
    const parent = parents[index] ?? -1;
    const above = drawings[parent];
    const isWithin = tags[parent] === 'SVG' || (above === 'part' && tags[parent] !== 'FOREIGNOBJECT');
    drawings.push(above === 'pattern' ? above : !isWithin ? undefined : PATTERNS.has(tag) ? 'pattern' : 'part');
  });
  return drawings;
}
