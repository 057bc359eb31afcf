import { PlatenError, TEMPORARY_DISK } from '@platen/kernel';
import { createSpool, type SpoolWriter } from '@platen/lib-spool';
import { mergeSorted, readLines } from './merge-sorted.js';

/** A record as the index describes it. */
export interface CdxEntry {
  /** The URL in SURT form, with posted data as a query; without blanks. */
  readonly key: string;
  readonly date: Date;
  readonly url: string;
  /** `warc/revisit` for a revisit. */
  readonly mime: string;
  /** Undefined for records without HTTP headers. */
  readonly status: number | undefined;
  /** Of the payload, with its algorithm. */
  readonly digest: string;
  /** Compressed bytes of the record. */
  readonly length: number;
  /** Of the record's first byte in the file. */
  readonly offset: number;
  readonly filename: string;
  readonly method?: string | undefined;
  readonly requestBody?: string | undefined;
}

/** A sorted index of WARC records in bounded memory. */
export interface CdxIndex extends AsyncDisposable {
  /** @throws `encode_failed` if the disk is too slow */
  add(entry: CdxEntry): void;
  /** Resolves when the disk has caught up: for sources that are faster. */
  flushed(): Promise<void>;
  /**
   * CDXJ lines in ASCII, sorted bytewise, without line breaks. To be called once all entries are added, any number of times.
   *
   * @throws the disk's error
   */
  lines(): AsyncIterable<string>;
  readonly count: number;
}

export interface CdxIndexOptions {
  /** Characters of lines that are sorted in memory. */
  readonly runCharacters?: number;
}

const RUN_CHARACTERS = 8 * 1024 * 1024;

/** Sorts lines in runs, in a private file without a name, and merges the runs when they are read. */
export function createCdxIndex({ runCharacters = RUN_CHARACTERS }: CdxIndexOptions = {}): CdxIndex {
  const spool = createSpool({ memoryBytes: 0 });
  const runs: SpoolWriter[] = [];
  let lines: string[] = [];
  let characters = 0;
  let count = 0;
  const endRun = () => {
    const run = spool.openWriter();
    for (const block of inBlocks(lines.sort())) if (!run.write(block)) throw tooSlow();
    run.end();
    runs.push(run);
    lines = [];
    characters = 0;
  };
  return {
    get count() {
      return count;
    },
    add(entry) {
      const line = cdxLine(entry);
      lines.push(line);
      count += 1;
      characters += line.length;
      if (characters >= runCharacters) endRun();
    },
    flushed: () => spool.flushed(),
    lines: () => mergeSorted([lines.sort(), ...runs.map((run) => readLines(run.open()))]),
    [Symbol.asyncDispose]: () => spool[Symbol.asyncDispose](),
  };
}

/** A key with a time in UTC and JSON; all ASCII, so that the order of code units is that of bytes. Numbers are strings, as readers expect. */
function cdxLine({ key, date, url, mime, status, digest, length, offset, filename, method, requestBody }: CdxEntry): string {
  const fields = {
    url,
    mime,
    status: status?.toString(),
    digest,
    length: String(length),
    offset: String(offset),
    filename,
    method,
    requestBody,
  };
  return `${key} ${date.toISOString().replace(/\D/g, '').slice(0, 14)} ${toAsciiJson(fields)}`;
}

/** JSON on one line, whose characters are bytes. */
export function toAsciiJson(value: object): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[^\x20-\x7e]/g, escape);
}

function* inBlocks(lines: readonly string[]): Generator<Buffer> {
  const step = 200;
  for (let at = 0; at < lines.length; at += step) yield Buffer.from(`${lines.slice(at, at + step).join('\n')}\n`, 'latin1');
}

function tooSlow(): PlatenError {
  return new PlatenError('encode_failed', `the index could not be written: ${TEMPORARY_DISK} is too slow`);
}
