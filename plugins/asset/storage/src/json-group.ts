/** JSON text under construction: an opening text, items separated by commas, and a closing text. */
export interface Group {
  readonly opening: string;
  readonly items: (string | Group)[];
  readonly closing: string;
}

/** Number of characters per chunk. */
const PIECE = 65_536;

export function groupOf(opening: string, closing: string, items: (string | Group)[] = []): Group {
  return { opening, items, closing };
}

export function bytesOf(item: string | Group): number {
  if (typeof item === 'string') return Buffer.byteLength(item);
  const { opening, items, closing } = item;
  return items.reduce((sum, one) => sum + bytesOf(one), Buffer.byteLength(opening + closing) + Math.max(0, items.length - 1));
}

/** The concatenated text of the groups, in chunks. */
export function* piecesOf(groups: readonly Group[]): Generator<Buffer> {
  let texts: string[] = [];
  let chars = 0;
  for (const group of groups) {
    for (const text of textsOf(group)) {
      texts.push(text);
      chars += text.length;
      if (chars < PIECE) continue;
      yield Buffer.from(texts.join(''));
      texts = [];
      chars = 0;
    }
  }
  yield Buffer.from(texts.join(''));
}

function* textsOf(item: string | Group): Generator<string> {
  if (typeof item === 'string') {
    yield item;
    return;
  }
  yield item.opening;
  for (const [index, one] of item.items.entries()) {
    if (index > 0) yield ',';
    yield* textsOf(one);
  }
  yield item.closing;
}
