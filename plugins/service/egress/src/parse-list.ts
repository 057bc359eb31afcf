import { createHash } from 'node:crypto';
import { type AddressRange, parseAddress, parseRange, parseWords } from './address.js';
import { collectNames, type NameTable } from './name-table.js';
import { collectRanges, type RangeTables } from './range-set.js';
import { LIKE_ADDRESS, parseColumns, stripDelimiters } from './line-columns.js';

const NOTHING: Entry = { ranges: [], names: [], isPartial: false };

/** Addresses to which hosts files map blocked names. */
const SINKS = new Set(['0.0.0.0', '127.0.0.1', '::', '::1']);

/** A time or a number, which some tables have before the address. */
const COUNTED =
  /^(?:["']?(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|\d{1,10})["']? ?[,;|\t] ?)+/;

/** `name:first-last`, as PeerGuardian has it: the name may be anything. */
const NAMED = /:((?:\d{1,3}\.){3}\d{1,3}-(?:\d{1,3}\.){3}\d{1,3})$/;

/** `001.002.003.004 - 001.002.003.009 , 000 , name`, as eMule's ipfilter.dat has it; ranges of level 128 and above are allowed. */
const PADDED = /^(\d{3}(?:\.\d{3}){3})\s*-\s*(\d{3}(?:\.\d{3}){3})\s*(?:$|,(?:\s*(\d{1,3})\s*(?:$|,))?)/;

const FIRST_LEVEL_ALLOWED = 128;

/** UTF-16 code units. No entry is that long; other files can have lines of megabytes. */
const MAX_LINE = 4096;

/** RFC 1035, 2.3.4. */
const MAX_NAME = 253;

/** Names of the machine itself in hosts files. */
const OWN_NAMES = /^(?:localhost(?:\.localdomain|4|6)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/;

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

/** A parsed line. */
interface Entry {
  readonly ranges: readonly AddressRange[];
  /** Host names of a line in the form of a hosts file, in lower case. */
  readonly names: readonly string[];
  /** The line contains further addresses that could not be parsed. */
  readonly isPartial: boolean;
}

/**
 * Parses a trimmed line of a published blocklist: addresses, blocks or `first-last`; columns with the first and last address of a
 * block or with its netmask, followed by other data (a count, a reason), or preceded by a time; JSON lines with `cidr` or `ip`; lines
 * of hosts files. `#`, `;` and a dash without an address after it start comments. Undefined for other lines.
 */
export function parseLine(line: string): Entry | undefined {
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return NOTHING;
  if (line.length > MAX_LINE) return undefined;
  if (line.startsWith('{')) return parseJsonLine(line);
  const [, from, to, level = '0'] = PADDED.exec(line) ?? [];
  if (from !== undefined && to !== undefined) {
    return Number(level) < FIRST_LEVEL_ALLOWED ? toEntry(parseRange(`${unpad(from)}-${unpad(to)}`)) : NOTHING;
  }
  const named = LIKE_ADDRESS.test(line) ? undefined : NAMED.exec(line)?.[1];
  if (named !== undefined) return toEntry(parseRange(named));
  const said = withoutNote(line).replace(/^-\s+/, '').replace(COUNTED, '').trim();
  const [, sink = '', host = ''] = /^([^\s,]+)[\s,]+([^\s,]+)/.exec(said) ?? [];
  if (SINKS.has(sink) && /[a-z]/i.test(host) && !LIKE_ADDRESS.test(host) && !/^(?:to|thru|through|until|till)$/i.test(host)) {
    return parseHosts(
      said
        .split(/[\s,;|]+/)
        .slice(1)
        .map(stripDelimiters),
    );
  }
  const columns = parseColumns(said);
  return columns && { ...NOTHING, ...columns };
}

/** A semicolon before an address separates columns. */
function withoutNote(line: string): string {
  const [said = ''] = line.split('#', 1);
  if (!said.includes(';')) return said;
  const [first = '', ...parts] = said.split(';');
  const note = parts.findIndex((part) => !LIKE_ADDRESS.test(part.trimStart()));
  return [first, ...(note < 0 ? parts : parts.slice(0, note))].join(' ; ');
}

/** `001.002.003.004` is decimal, not octal. */
function unpad(address: string): string {
  return address.split('.').map(Number).join('.');
}

function toEntry(range: AddressRange | undefined): Entry | undefined {
  return range && { ...NOTHING, ranges: [range] };
}

/** The names after a sink address are blocked, not the sink address. */
function parseHosts(names: readonly string[]): Entry | undefined {
  const others = names.map((name) => name.toLowerCase().replace(/\.$/, '')).filter((name) => !OWN_NAMES.test(name));
  if (others.some((name) => name.length > MAX_NAME || !/^[a-z\d_.-]+$/.test(name) || parseAddress(name) !== undefined)) return undefined;
  return { ...NOTHING, names: others };
}

/** Spamhaus' lists end with a line about themselves. */
function parseJsonLine(line: string): Entry | undefined {
  const value = toObject(line);
  const given = value?.['cidr'] ?? value?.['ip'];
  if (given === undefined) return value?.['type'] === 'metadata' ? NOTHING : undefined;
  return toEntry(typeof given === 'string' ? parseRange(given) : undefined);
}

function toObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // An object: the line begins with a brace.
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
