import { type Rect, withoutUserinfo } from '@platen/kernel';
import { runYielding, shouldYield, type TreeNode } from '@platen/lib-accessibility-tree';
import type { ViewCapture } from './capture-view.js';
import { oneLine, redactLine, shortenUrl } from './describe-node.js';
import { isGroup, type Line, outlineView, placeOf } from './outline-view.js';

/** Characters of a token, as providers estimate. */
const TOKEN = 4;
/** Tokens for the last line of a snapshot that is not complete. */
const RESERVE = 40;
const OUTSIDE = 'Outside the viewport:';

/** An element in the viewport, by its ref. */
export interface RefBox {
  readonly ref: string;
  /** CSS pixels of the document. */
  readonly bounds: Rect;
}

export interface Snapshot {
  readonly text: string;
  /** Elements with a ref in the text that are in the viewport. */
  readonly boxes: readonly RefBox[];
  /** Boxes in the viewport of elements whose text `redact` changes, in CSS pixels of the document, also of those that the text omits. */
  readonly masks: readonly Rect[];
}

export interface SnapshotOptions {
  /** Upper limit of the text, at four characters per token. */
  readonly maxTokens: number;
  /** Replaces secrets in everything that is written: title, URLs (percent-encoded as they are), names, values, placeholders, options. */
  readonly redact?: (text: string) => string;
  /** False for the absolute URL of a link: its line is plain text without a ref or URL, so that a model cannot choose it. */
  readonly allowsUrl?: (url: string) => boolean;
}

/** Writes a view as text: first the viewport, then the rest as far as the tokens suffice, then the number of elements that are not shown. */
export async function writeSnapshot(view: ViewCapture, { maxTokens, redact, allowsUrl = () => true }: SnapshotOptions): Promise<Snapshot> {
  const written = await writeText(view, { maxTokens, redact: redact ?? ((text) => text), allowsUrl });
  return { ...written, masks: redact === undefined ? [] : await findMasks(view, redact) };
}

async function writeText(view: ViewCapture, { maxTokens, ...policy }: Required<SnapshotOptions>): Promise<Omit<Snapshot, 'masks'>> {
  const lines = await outlineView(view, policy);
  const { title, url } = view.tree;
  const head = [`Page: ${redactLine(title, policy.redact)}`, `URL: ${shortenUrl(policy.redact(withoutUserinfo(url)))}`];
  const inView = lines.filter(({ place }) => place === 'viewport');
  const outside = lines.filter(({ place }) => place !== 'viewport');
  const written = [...head];
  const sizeOf = (line: Line) => line.depth + line.text.length + 1;
  const whole = lines.reduce((size, line) => size + sizeOf(line), [...head, OUTSIDE].join('\n').length + 2);
  let room = whole <= maxTokens * TOKEN ? Infinity : (maxTokens - RESERVE) * TOKEN - head.join('\n').length;
  const write = (some: readonly Line[]): readonly Line[] => {
    const fitting = takeWhile(some, (line) => (room -= sizeOf(line)) >= 0);
    for (const line of fitting) written.push(' '.repeat(line.depth) + line.text);
    return fitting;
  };
  const shown = write(inView);
  const further = shown.length < inView.length || outside.length === 0 ? [] : writeOutside();
  const left = [...inView.slice(shown.length), ...outside.slice(further.length)];
  if (left.length > 0) written.push(describeLeft(left));
  return { text: `${written.join('\n')}\n`, boxes: shown.flatMap(toBox) };

  function writeOutside(): readonly Line[] {
    written.push(OUTSIDE);
    return write(outside);
  }
}

function takeWhile<T>(all: readonly T[], fits: (one: T) => boolean): readonly T[] {
  const end = all.findIndex((one) => !fits(one));
  return end === -1 ? all : all.slice(0, end);
}

function describeLeft(left: readonly Line[]): string {
  const count = (place: Line['place']) => String(left.filter((line) => line.place === place).length);
  const places = `${count('viewport')} in the viewport, ${count('above')} above, ${count('below')} below`;
  return `(${String(left.length)} more elements are not listed: ${places})`;
}

function toBox({ ref, bounds }: Line): readonly RefBox[] {
  return ref === undefined || bounds === null ? [] : [{ ref, bounds }];
}

/** The boxes in the viewport, in CSS pixels of the document, of the elements whose text is redacted; of a group only the parts in it. */
async function findMasks({ tree, viewport }: ViewCapture, redact: (text: string) => string): Promise<readonly Rect[]> {
  const masks: Rect[] = [];
  const isRedacted = (text: string) => text !== '' && redactLine(text, redact) !== oneLine(text);
  /** Whether the node or a node in it has such a text. */
  function* visit(node: TreeNode): Generator<void, boolean> {
    if (shouldYield()) yield;
    if (!node.visible) return false;
    const { name, value = '', attrs, bounds } = node;
    let isWithin = false;
    for (const child of node.children) isWithin = (yield* visit(child)) || isWithin;
    const isOwn =
      isRedacted(String(value)) || isRedacted(attrs.placeholder ?? '') || (!(isWithin && isGroup(node.role)) && isRedacted(name));
    if (isOwn && bounds !== null && placeOf(bounds, viewport) === 'viewport') masks.push(bounds);
    return isOwn || isWithin;
  }
  for (const child of tree.root.children) await runYielding(visit(child));
  return masks;
}
