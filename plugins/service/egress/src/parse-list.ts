import { createHash } from 'node:crypto';
import { type AddressRange, parseAddress, parseRange } from './address.js';
import { LIKE_ADDRESS, readColumns, splitColumns } from './address-columns.js';
import { collectNames, type NameTable } from './name-table.js';
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

/** A parsed line. */
interface Entry {
  readonly ranges: readonly AddressRange[];
  /** Host names of a line in the form of a hosts file, in lower case. */
  readonly names: readonly string[];
  /** The line contains further addresses that could not be parsed. */
  readonly isPartial: boolean;
}

const NOTHING: Entry = { ranges: [], names: [], isPartial: false };

/** UTF-16 code units. No entry is that long; other files can have lines of megabytes. */
const MAX_LINE = 4096;

/** `name:first-last`, as PeerGuardian has it: the name may be anything. */
const PEER_GUARDIAN = /:((?:\d{1,3}\.){3}\d{1,3}-(?:\d{1,3}\.){3}\d{1,3})$/;

/** `001.002.003.004 - 001.002.003.009 , 000 , name`, as eMule's ipfilter.dat has it. */
const IPFILTER_DAT = /^(\d{3}(?:\.\d{3}){3})\s*-\s*(\d{3}(?:\.\d{3}){3})\s*(?:$|,(?:\s*(\d{1,3})\s*(?:$|,))?)/;

/** Ranges of an ipfilter.dat from this level on are allowed. */
const FIRST_LEVEL_ALLOWED = 128;

/** Addresses to which hosts files map blocked names. */
const SINKS = new Set(['0.0.0.0', '127.0.0.1', '::', '::1']);

/** Names of the machine itself in hosts files. */
const OWN_NAMES = /^(?:localhost(?:\.localdomain|4|6)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/;

/** RFC 1035, 2.3.4. */
const MAX_NAME = 253;

/** Parses a trimmed line of a published blocklist in one of the formats of the README. Undefined for other lines. */
export function parseLine(line: string): Entry | undefined {
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return NOTHING;
  if (line.length > MAX_LINE) return undefined;
  const plain = parseRange(line);
  if (plain !== undefined) return toEntry(plain);
  if (line.startsWith('{')) return readJson(line);
  const filter = IPFILTER_DAT.exec(line);
  if (filter !== null) return readIpfilterDat(filter);
  const [, named] = (LIKE_ADDRESS.test(line) ? null : PEER_GUARDIAN.exec(line)) ?? [];
  if (named !== undefined) return toEntry(parseRange(named));
  const columns = splitColumns(line);
  const [sink = '', host = ''] = columns;
  if (SINKS.has(sink) && /[a-z]/i.test(host) && !LIKE_ADDRESS.test(host)) return readHosts(columns.slice(1));
  const read = readColumns(columns);
  return read && { ...NOTHING, ...read };
}

/** Spamhaus' DROP as JSON lines: `cidr` or `ip`, and a last line about the list. */
function readJson(line: string): Entry | undefined {
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

function readIpfilterDat([, from = '', to = '', level = '0']: RegExpExecArray): Entry | undefined {
  // `001.002.003.004` is decimal, not octal.
  const [first, last] = [from, to].map((address) => address.split('.').map(Number).join('.'));
  return Number(level) < FIRST_LEVEL_ALLOWED ? toEntry(parseRange(`${String(first)}-${String(last)}`)) : NOTHING;
}

/** The names after a sink address are blocked, not the sink address. */
function readHosts(hosts: readonly string[]): Entry | undefined {
  const names = hosts.map((host) => host.toLowerCase().replace(/\.$/, '')).filter((name) => !OWN_NAMES.test(name));
  if (names.some((name) => name.length > MAX_NAME || !/^[a-z\d_.-]+$/.test(name) || parseAddress(name) !== undefined)) return undefined;
  return { ...NOTHING, names };
}

function toEntry(range: AddressRange | undefined): Entry | undefined {
  return range && { ...NOTHING, ranges: [range] };
}
