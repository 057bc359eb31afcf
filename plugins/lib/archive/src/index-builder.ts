import { type CdxEntry, createCdxIndex } from '@platen/lib-warc';
import { type ArchiveIndex, type Block, inBlocks, openIndex, type SortedLines } from './archive-index.js';
import { hasOwnKey, keyOfRecord, linesOf, parseLine, toDate } from './cdxj.js';
import type { Scratch } from './scratch.js';

/** Collects the records of an archive. */
export interface IndexBuilder extends AsyncDisposable {
  readonly count: number;
  /** Ignores what is no response of a web server. Resolves when more is accepted. */
  add(entry: CdxEntry): Promise<void>;
  /** Adds the lines of an index that another program has written. */
  addLines(chunks: AsyncIterable<Buffer>): Promise<void>;
  /**
   * Takes an index as it is, if it is sorted by the keys that we look for: that is a fraction of the work.
   *
   * @returns false if it is not; it is to be added by `addLines`
   */
  takeSorted(chunks: AsyncIterable<Buffer>): Promise<boolean>;
  /** To be called once. */
  build(): Promise<ArchiveIndex>;
}

/** Longer URLs are of data. */
const LONGEST_URL = 16 * 1024;
/** Entries after which the disk may catch up. */
const BATCH = 10_000;

export function createIndexBuilder(scratch: Scratch): IndexBuilder {
  const sorter = createCdxIndex();
  let firstTime = Infinity;
  let taken: SortedLines | undefined;
  const add = async (entry: CdxEntry) => {
    if (!/^https?:\/\//i.test(entry.url) || entry.url.length > LONGEST_URL || Number.isNaN(entry.date.getTime())) return;
    sorter.add({ ...entry, key: entry.key.toLowerCase() });
    firstTime = Math.min(firstTime, entry.date.getTime());
    if (sorter.count % BATCH === 0) await sorter.flushed();
  };
  return {
    get count() {
      return taken?.count ?? sorter.count;
    },
    add,
    async addLines(chunks) {
      for await (const lines of linesOf(chunks)) {
        for (const line of lines) {
          const record = parseLine(line);
          const date = record && toDate(record.date);
          if (date) await add({ ...record, key: keyOfRecord(record), date, status: record.status || undefined });
        }
      }
    },
    async takeSorted(chunks) {
      taken = await storeSorted(chunks, scratch);
      return taken !== undefined;
    },
    async build() {
      if (taken) return openIndex(taken);
      const starts: Block[] = [];
      const source = await scratch.store(inBlocks(sorter.lines(), starts));
      // 14 digits.
      const firstDate = new Date(Math.min(firstTime, 8.64e15)).toISOString().replace(/\D/g, '').slice(0, 14);
      return openIndex({ source, starts, firstDate, count: sorter.count });
    },
    [Symbol.asyncDispose]: () => sorter[Symbol.asyncDispose](),
  };
}

class NotSorted extends Error {
  override readonly name = 'NotSorted';
}

/** Undefined: it is not sorted by our keys, or is empty. */
async function storeSorted(chunks: AsyncIterable<Buffer>, scratch: Scratch): Promise<SortedLines | undefined> {
  const starts: Block[] = [];
  let [last, firstDate, count] = ['', '9', 0];
  async function* sorted(): AsyncGenerator<string> {
    for await (const lines of linesOf(chunks)) {
      for (const line of lines) {
        if (line < last || !hasOwnKey(line)) throw new NotSorted();
        const date = line.slice(line.indexOf(' ') + 1).slice(0, 14);
        if (date < firstDate) firstDate = date;
        last = line;
        count += 1;
        yield line;
      }
    }
  }
  try {
    const source = await scratch.store(inBlocks(sorted(), starts));
    return count === 0 ? undefined : { source, starts, firstDate, count };
  } catch (error) {
    if (error instanceof NotSorted) return undefined;
    throw error;
  }
}
