import { createHash } from 'node:crypto';
import { parseWords } from './address.js';
import { collectNames, type NameTable } from './name-table.js';
import { parseLine } from './parse-line.js';
import { collectRanges, type RangeTables } from './range-set.js';

/** What a blocklist says, in memory that threads can share. */
export interface BlockList {
  readonly ranges: RangeTables;
  /** Host names of lines in the form of a hosts file, in lower case. */
  readonly names: NameTable;
  /** Lines that were not understood, or not all that they name. */
  readonly skipped: number;
  /** The first of those. */
  readonly samples: readonly SkippedLine[];
  /** Of all that was read. */
  readonly digest: string;
}

export interface SkippedLine {
  /** From 1. */
  readonly line: number;
  /** Cut. */
  readonly text: string;
}

const SAMPLES = 5;
const SAMPLE_LENGTH = 100;
/** Read at once, in bytes: the text of a list is never held as a whole. */
const PIECE = 2 ** 20;
/** A list that takes that long to read is made to. */
const TIMEOUT_MS = 60_000;
const [LINE_FEED, RETURN] = [10, 13];

/** Reads a list in UTF-8. Throws where it comes to more ranges or names than it may, and where that takes too long. */
export function parseList(bytes: Uint8Array): BlockList {
  const ranges = collectRanges();
  const names = collectNames();
  const samples: SkippedLine[] = [];
  let skipped = 0;
  let number = 0;
  const read = (line: string): void => {
    number += 1;
    const words = parseWords(line);
    if (words !== undefined) {
      ranges.addAddress(words);
      return;
    }
    const entry = parseLine(line);
    for (const range of entry?.ranges ?? []) ranges.add(range);
    for (const name of entry?.names ?? []) names.add(name);
    if (entry?.isPartial === false) return;
    skipped += 1;
    if (samples.length < SAMPLES) samples.push({ line: number, text: line.slice(0, SAMPLE_LENGTH) });
  };
  const end = performance.now() + TIMEOUT_MS;
  for (const piece of piecesOf(bytes)) {
    if (performance.now() > end) throw new Error(`reading it takes longer than ${String(TIMEOUT_MS / 1000)} seconds`);
    for (const line of piece.split(/\r\n|[\r\n]/)) read(line.trim());
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { ranges: ranges.build(), names: names.build(), skipped, samples, digest };
}

/** The text, cut where a line ends: without that end. */
function* piecesOf(bytes: Uint8Array): Generator<string> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  while (from < all.length) {
    let to = from + PIECE;
    while (to < all.length && all[to] !== LINE_FEED && all[to] !== RETURN) to += 1;
    const text = all.toString('utf8', from, to);
    yield from === 0 ? text.replace(/^\uFEFF/, '') : text;
    from = to + (all[to] === RETURN && all[to + 1] === LINE_FEED ? 2 : 1);
  }
}
