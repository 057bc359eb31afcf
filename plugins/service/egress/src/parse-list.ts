import { createHash } from 'node:crypto';
import { collectNames, type NameTable } from './name-table.js';
import { parseLine } from './parse-line.js';
import { collectRanges, type RangeTables } from './ranges.js';

/** A parsed blocklist, in memory that threads can share. */
export interface BlockList {
  readonly ranges: RangeTables;
  /** Host names of lines in the form of a hosts file, in lower case. */
  readonly names: NameTable;
  /** Number of lines that could not be parsed, or only in part. */
  readonly skipped: number;
  /** The first skipped lines. */
  readonly samples: readonly SkippedLine[];
  /** Digest of the content. */
  readonly digest: string;
}

export interface SkippedLine {
  /** From 1. */
  readonly line: number;
  /** Truncated. */
  readonly text: string;
}

const SAMPLES = 5;
const SAMPLE_LENGTH = 100;
/** Bytes decoded at a time: the text of a list is never in memory as a whole. */
const PIECE = 2 ** 20;
/** Only a malicious list takes that long. */
const TIMEOUT_MS = 60_000;
const [LINE_FEED, RETURN] = [10, 13];

/** Parses a UTF-8 list. Throws if it has too many ranges or names, or takes too long. */
export function parseList(bytes: Uint8Array): BlockList {
  const ranges = collectRanges();
  const names = collectNames();
  const samples: SkippedLine[] = [];
  let skipped = 0;
  let number = 0;
  const read = (line: string): void => {
    number += 1;
    const entry = parseLine(line);
    for (const range of entry?.ranges ?? []) ranges.add(range);
    for (const name of entry?.names ?? []) names.add(name);
    if (entry?.isPartial === false) return;
    skipped += 1;
    if (samples.length < SAMPLES) samples.push({ line: number, text: line.slice(0, SAMPLE_LENGTH) });
  };
  const end = performance.now() + TIMEOUT_MS;
  for (const piece of piecesOf(bytes)) {
    if (performance.now() > end) throw new Error(`reading it took longer than ${String(TIMEOUT_MS / 1000)} seconds`);
    for (const line of piece.split(/\r\n|[\r\n]/)) read(line.trim());
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { ranges: ranges.build(), names: names.build(), skipped, samples, digest };
}

/** The text in pieces that end at a line end, without that line end. */
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
