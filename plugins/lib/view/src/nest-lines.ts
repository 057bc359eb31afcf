import type { Rect } from '@platen/kernel';

/** Where an element is, relative to the viewport; `below` includes its right and left. */
export type Place = 'viewport' | 'above' | 'below';

/** One line of a snapshot. */
export interface Line {
  readonly text: string;
  readonly depth: number;
  readonly place: Place;
  /** Of an element that a user can interact with. */
  readonly ref: string | undefined;
  /** CSS pixels of the document; null if the element has no box. */
  readonly bounds: Rect | null;
  /** The element's name in lower case. */
  readonly name: string;
  readonly isText: boolean;
}

/** One thing with its lines: it is not split at the edge of the viewport, up to a number of lines. */
const ITEMS: ReadonlySet<string> = new Set(['article', 'listitem', 'row']);
const MAX_ITEM = 20;
/** Say nothing about a single element in them. */
const CELLS: ReadonlySet<string> = new Set(['cell', 'columnheader', 'gridcell', 'rowheader']);
/** Say nothing as the only element of something else. */
const ONLY: ReadonlySet<string> = new Set(['article', 'listitem']);

/** Whether the lines in an element say its name. */
export function saysName(lines: readonly Line[], name: string): boolean {
  if (lines.some((line) => line.name === name)) return true;
  const names = lines.filter(({ depth }) => depth === 0).map((line) => line.name);
  return compact(names.join('')) === compact(name);
}

/** The lines of an element with the lines in it, without wrappers that add nothing. Its role is the whole text of such a wrapper. */
export function nestLines(head: Line, lines: readonly Line[]): readonly Line[] {
  const isSingle = lines.filter(({ depth }) => depth === 0).length === 1;
  // The cell of a table that is only layout.
  if (head.text === 'text' || (isSingle && CELLS.has(head.text))) return lines;
  const [first, ...rest] = lines;
  const isOnly = isSingle && first !== undefined && ONLY.has(first.text) && head.ref === undefined;
  const inner = isOnly ? rest.map((line) => ({ ...line, depth: line.depth - 1 })) : lines;
  const isInView = inner.some(({ place }) => place === 'viewport');
  const [role = ''] = head.text.split(' ', 1);
  const isWhole = isInView && ITEMS.has(role) && inner.length <= MAX_ITEM;
  const moved = inner.map((line) => ({ ...line, depth: line.depth + 1, ...(isWhole ? { place: 'viewport' as const } : {}) }));
  return [{ ...head, place: isInView ? 'viewport' : head.place }, ...moved];
}

/** The lines of a paragraph: texts that follow one another are one. */
export function joinTexts(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const [, start] = /^(text ".*)"$/.exec(before?.text ?? '') ?? [];
    const [, end] = /^text "(.*)$/.exec(line.text) ?? [];
    const isOne = before?.isText === true && line.isText && before.depth === line.depth && before.place === line.place;
    if (!isOne || start === undefined || end === undefined) joined.push(line);
    else joined.splice(-1, 1, { ...before, text: `${start} ${end}`, name: `${before.name} ${line.name}` });
  }
  return joined;
}

function compact(text: string): string {
  return text.replaceAll(' ', '');
}
