import { type AddressRange, parseAddress, parseRange } from './address.js';
import { joinColumns } from './range-columns.js';

/** What a blocklist says, line by line. */
export interface BlockList {
  readonly ranges: readonly AddressRange[];
  /** Host names of lines in the form of a hosts file, in lower case. */
  readonly names: readonly string[];
  /** Lines that say nothing that can be understood. */
  readonly skipped: number;
}

type Entry = { readonly range: AddressRange } | { readonly names: readonly string[] } | 'nothing' | undefined;

/** Where a hosts file sends the names that it takes out of the world. */
const SINKS = new Set(['0.0.0.0', '127.0.0.1', '::', '::1']);
/** A comment. A semicolon with an address right behind it separates columns. */
const NOTE = /#|;(?!\d+\.\d+\.\d+\.\d)/;
/** Between columns; the slash of `10.9.0.0/255.255.0.0` too. */
const SEPARATOR = /[\s,;]+|\/(?=\d+\.)/;
/** What every hosts file says of the machine itself. */
const OWN_NAMES = /^(?:localhost(?:\.localdomain|4|6)?|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0)$/;

/**
 * Reads what feeds publish: an address, block or `first-last` a line, or in two columns an address and the last of its range or its
 * netmask, behind it whatever they add (a count, a reason, a reference); JSON lines with a `cidr` or `ip`; lines of hosts files. `#` and
 * `;` begin comments.
 */
export function parseList(text: string): BlockList {
  const ranges: AddressRange[] = [];
  const names: string[] = [];
  let skipped = 0;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/)) {
    const entry = parseLine(line.trim());
    if (entry === undefined) skipped += 1;
    else if (entry === 'nothing') continue;
    else if ('range' in entry) ranges.push(entry.range);
    else names.push(...entry.names);
  }
  return { ranges, names, skipped };
}

function parseLine(line: string): Entry {
  if (line === '' || line.startsWith('#') || line.startsWith(';')) return 'nothing';
  if (line.startsWith('{')) return parseJsonLine(line);
  const [said = ''] = line.split(NOTE, 1);
  const [first = '', ...rest] = said
    .replace(/\s*-\s*/, '-')
    .trim()
    .split(SEPARATOR);
  if (SINKS.has(first) && rest[0] !== undefined && /[a-z]/i.test(rest[0])) return parseHosts(rest);
  const range = joinColumns(first, rest[0]);
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
  const range = typeof given === 'string' ? parseRange(given) : undefined;
  return range === undefined ? undefined : { range };
}

function toObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // An object: the line begins with a brace.
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
