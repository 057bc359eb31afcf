import type { Readable } from 'node:stream';

/** A source of a merge, at its first line that was not yet returned. */
interface Head {
  line: string;
  readonly rest: AsyncIterator<string> | Iterator<string>;
}

/** Merges sorted sequences of lines to one: all of the first lines are in a heap. */
export async function* mergeSorted(sources: readonly (AsyncIterable<string> | Iterable<string>)[]): AsyncGenerator<string> {
  const heap: Head[] = [];
  const iterators = sources.map((source) => (Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()));
  try {
    for (const rest of iterators) {
      const next = await rest.next();
      if (next.done !== true) heap.push({ line: next.value, rest });
    }
    heap.sort((one, other) => (one.line < other.line ? -1 : 1));
    for (let first = heap[0]; first; first = heap[0]) {
      yield first.line;
      const next = await first.rest.next();
      if (next.done !== true) first.line = next.value;
      else replaceFirst(heap);
      sink(heap);
    }
  } finally {
    for (const rest of iterators) await rest.return?.();
  }
}

/** With the last. */
function replaceFirst(heap: Head[]): void {
  const last = heap.pop();
  if (last && heap.length > 0) heap[0] = last;
}

/** Moves the first entry down to its place. */
function sink(heap: Head[]): void {
  const isBefore = (one: number, other: number) => (heap[one]?.line ?? '') < (heap[other]?.line ?? '');
  let at = 0;
  for (;;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    if (left >= heap.length) return;
    const least = right < heap.length && isBefore(right, left) ? right : left;
    const [parent, child] = [heap[at], heap[least]];
    if (!parent || !child || !isBefore(least, at)) return;
    [heap[at], heap[least]] = [child, parent];
    at = least;
  }
}

/** The lines of an ASCII stream that ends in a line break, without their breaks. */
export async function* readLines(bytes: Readable): AsyncGenerator<string> {
  let rest = '';
  // Not in object mode: the chunks are Buffers.
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
