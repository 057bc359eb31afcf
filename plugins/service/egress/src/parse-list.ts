import { type AddressRange, parseAddress, parseRange } from './address.js';
import { joinColumns } from './range-columns.js';

/** What a blocklist says, line by line. */
export interface BlockList {
  readonly ranges: readonly AddressRange[];
  /** Host names of lines in the form of a hosts file, in lower case. */
  readonly names: readonly string[];
  /** Lines that say nothing that can be understood. */
  readonly skipped: number;
  readonly firstSkipped?: SkippedLine;
}

export interface SkippedLine {
  /** From 1. */
  readonly line: number;
  /** Cut. */
  readonly text: string;
}

type Entry = { readonly range: AddressRange } | { readonly names: readonly string[] } | 'nothing' | undefined;

/** Where a hosts file sends the names that it takes out of the world. */
const SINKS = new Set(['0.0.0.0', '127.0.0.1', '::', '::1']);
/** A comment. A semicolon with an address right behind it separates columns. */
const NOTE = /#|;(?!\d+\.\d+\.\d+\.\d)/;
/** Between columns; the slash of `10.9.0.0/255.255.0.0` too. */
const SEPARATOR = /[\s,;|]+|\/(?=\d+\.)/;
/** What begins a line, a dash, what follows it: `first - last`, or a comment, or a column that is empty. */
const DASHED = /^([^\s,;|\u2013\u2014-]+)(\s*)([\u2013\u2014-]+)(\s*)([^\s,;|]*)/;
/** Meant as an address, well-formed or not. */
const LIKE_ADDRESS = /^["'[]*(?:(?:\d+\.){3}\d|[\da-f:]*(?:::|(?::[\da-f]+){7}))/i;
/** `192.0.2.1:443`, `[2001:db8::1]:443`, `[192.0.2.1]`, `[2001:db8::]/32`: a list of addresses is about all ports. */
const DRESSED = /^(?:\[(?<bracketed>[^\]]+)\](?<prefix>\/\d{1,3})?|(?<dotted>(?:\d+\.){3}\d+)(?=:))(?::\d{1,5})?$/;
/** A range in words: `192.0.2.1 to 192.0.2.9`. */
const SPELT = /^(\S+)\s+(?:to|thru|through|until|till|\.{2,3}|[=-]>|~)\s+(\S+)/i;
/** `name:first-last`, as PeerGuardian has it: the name may be anything. */
const NAMED = /:((?:\d{1,3}\.){3}\d{1,3}-(?:\d{1,3}\.){3}\d{1,3})$/;
/** `001.002.003.004 - 001.002.003.009 , 000 , name`, as eMule's ipfilter.dat has it; from level 128 on a range is let pass. */
const PADDED = /^(\d{3}(?:\.\d{3}){3})\s*-\s*(\d{3}(?:\.\d{3}){3})\s*(?:$|,(?:\s*(\d{1,3})\s*(?:$|,))?)/;
const FIRST_LEVEL_ALLOWED = 128;
/** UTF-16 code units. No entry is that long, and what is no list may be one line of megabytes. */
const MAX_LINE = 4096;
const SAMPLE_LENGTH = 100;
/** What every hosts file says of the machine itself. */
const OWN_NAMES = /^(?:localhost(?:\.localdomain|4|6)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/;

/**
 * Reads what feeds publish: an address, block or `first-last` a line, or in two columns an address and the last of its range or its
 * netmask, behind it whatever they add (a count, a reason, a reference); JSON lines with a `cidr` or `ip`; lines of hosts files. `#` and
 * `;` begin comments, and so does a dash that no address follows.
 */
export function parseList(text: string): BlockList {
  const ranges: AddressRange[] = [];
  const names: string[] = [];
  let skipped = 0;
  let firstSkipped: SkippedLine | undefined;
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\r\n]/)
    .entries()) {
    const entry = parseLine(line.trim());
    if (entry === undefined) {
      skipped += 1;
      firstSkipped ??= { line: index + 1, text: line.trim().slice(0, SAMPLE_LENGTH) };
    } else if (entry === 'nothing') continue;
    else if ('range' in entry) ranges.push(entry.range);
    else names.push(...entry.names);
  }
  return { ranges, names, skipped, ...(firstSkipped === undefined ? {} : { firstSkipped }) };
}

function parseLine(line: string): Entry {
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return 'nothing';
  if (line.length > MAX_LINE) return undefined;
  if (line.startsWith('{')) return parseJsonLine(line);
  const [, from, to, level = '0'] = PADDED.exec(line) ?? [];
  if (from !== undefined && to !== undefined) {
    return Number(level) < FIRST_LEVEL_ALLOWED ? toEntry(parseRange(`${unpad(from)}-${unpad(to)}`)) : 'nothing';
  }
  const named = LIKE_ADDRESS.test(line) ? undefined : NAMED.exec(line)?.[1];
  if (named !== undefined) return toEntry(parseRange(named));
  const [said = ''] = line.split(NOTE, 1);
  const entry = joinWords(said.replace(/^-\s+/, '').trim());
  const [, dashed = '', before = '', dashes = '', after = '', next = ''] = DASHED.exec(entry) ?? [];
  if (dashed !== '') return toEntry(parseDashed(undress(dashed), { dash: `${before}${dashes}${after}`, next: undress(next) }));
  const [first = '', ...rest] = entry.split(SEPARATOR).map(undress);
  if (SINKS.has(first) && rest[0] !== undefined && /[a-z]/i.test(rest[0])) return parseHosts(rest);
  return toEntry(joinColumns(first, rest[0]));
}

function joinWords(entry: string): string {
  return entry.replace(SPELT, (words, first: string, next: string) => (LIKE_ADDRESS.test(next) ? `${first} - ${next}` : words));
}

/** `001.002.003.004` is no octal. */
function unpad(address: string): string {
  return address.split('.').map(Number).join('.');
}

/** A range where an address stands behind a single dash. What was meant for one and is none must not become its first address alone. */
function parseDashed(first: string, { dash, next }: { readonly dash: string; readonly next: string }): AddressRange | undefined {
  if (dash.trim().length === 1 && parseAddress(next) !== undefined) return parseRange(`${first}-${next}`);
  const isTight = next !== '' && dash === dash.trim();
  return isTight || LIKE_ADDRESS.test(next) ? undefined : parseRange(first);
}

/** Without quotes, brackets and a port. */
function undress(column: string): string {
  const bare = unquote(column);
  const { bracketed, prefix = '', dotted } = DRESSED.exec(bare)?.groups ?? {};
  return bracketed === undefined ? (dotted ?? bare) : `${bracketed}${prefix}`;
}

function unquote(column: string): string {
  let [start, end] = [0, column.length];
  while (start < end && isQuote(column[start])) start += 1;
  while (start < end && isQuote(column[end - 1])) end -= 1;
  return column.slice(start, end);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

function toEntry(range: AddressRange | undefined): Entry {
  return range === undefined ? undefined : { range };
}

/** A sink is not what the line is against: the names behind it are. */
function parseHosts(names: readonly string[]): Entry {
  const others = names.map((name) => name.toLowerCase().replace(/\.$/, '')).filter((name) => !OWN_NAMES.test(name));
  if (others.some((name) => !/^[a-z\d_.-]+$/.test(name) || parseAddress(name) !== undefined)) return undefined;
  return others.length === 0 ? 'nothing' : { names: others };
}

/** Spamhaus' lists end with a line about themselves. */
function parseJsonLine(line: string): Entry {
  const value = toObject(line);
  const given = value?.['cidr'] ?? value?.['ip'];
  if (given === undefined) return value?.['type'] === 'metadata' ? 'nothing' : undefined;
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
