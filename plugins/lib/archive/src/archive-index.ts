import type { ByteSource } from './byte-source.js';
import { type IndexedRecord, parseLine } from './cdxj.js';

/** The records of an archive, on disk, sorted by the keys of their requests. */
export interface ArchiveIndex {
  readonly count: number;
  /** Of the earliest record. */
  readonly firstDate: string;
  /** Those whose line begins so: the start of a key, or a key and a blank. */
  find(prefix: string): AsyncGenerator<IndexedRecord>;
  /** All records, or those of whose lines the test holds. */
  all(test?: (line: string) => boolean): AsyncGenerator<IndexedRecord>;
  /** Some before and after a key. */
  around(key: string): AsyncGenerator<IndexedRecord>;
}

/** Lines of the sorted file that are read together. */
export interface Block {
  readonly first: string;
  readonly offset: number;
}

const BLOCK_CHARACTERS = 32 * 1024;

export async function* inBlocks(lines: AsyncIterable<string>, starts: Block[]): AsyncGenerator<Buffer> {
  let block: string[] = [];
  let [characters, offset] = [0, 0];
  const end = (): Buffer => {
    // A part of a string retains all of its memory.
    starts.push({ first: Buffer.from(block[0] ?? '', 'latin1').toString('latin1'), offset });
    const bytes = Buffer.from(`${block.join('\n')}\n`, 'latin1');
    offset += bytes.length;
    [block, characters] = [[], 0];
    return bytes;
  };
  for await (const line of lines) {
    block.push(line);
    characters += line.length;
    if (characters >= BLOCK_CHARACTERS) yield end();
  }
  if (block.length > 0) yield end();
}

export interface SortedLines extends Pick<ArchiveIndex, 'firstDate' | 'count'> {
  readonly source: ByteSource;
  readonly starts: readonly Block[];
}

export function openIndex({ source, starts, firstDate, count }: SortedLines): ArchiveIndex {
  const linesOf = async (at: number): Promise<readonly string[]> => {
    const block = starts[at];
    if (!block) return [];
    const bytes = await source.read(block.offset, (starts[at + 1]?.offset ?? source.bytes) - block.offset);
    return bytes.toString('latin1').split('\n').slice(0, -1);
  };
  return {
    count,
    firstDate,
    async *find(prefix) {
      for (let at = blockOf(starts, prefix); at < starts.length; at += 1) {
        for (const line of await linesOf(at)) {
          const record = line.startsWith(prefix) ? parseLine(line) : undefined;
          if (record) yield record;
          else if (line > prefix) return;
        }
      }
    },
    async *all(test = () => true) {
      for (const at of starts.keys()) yield* parse((await linesOf(at)).filter(test));
    },
    async *around(key) {
      const middle = blockOf(starts, key);
      for (const at of [middle - 1, middle, middle + 1]) yield* parse(await linesOf(at));
    },
  };
}

function parse(lines: readonly string[]): readonly IndexedRecord[] {
  return lines.flatMap((line) => parseLine(line) ?? []);
}

/** The last block that begins before the text. */
function blockOf(starts: readonly Block[], text: string): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle]?.first ?? '') < text) low = middle;
    else high = middle;
  }
  return low;
}
