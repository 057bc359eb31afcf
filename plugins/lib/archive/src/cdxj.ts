import { type CdxEntry, toKey } from '@platen/lib-warc';
import { ArchiveDamaged } from './contract.js';

/** A record of the archive that may answer a request. */
export interface IndexedRecord extends Omit<CdxEntry, 'date' | 'status'> {
  /** 14 digits, UTC. */
  readonly date: string;
  /** 0: unknown. */
  readonly status: number;
}

const LONGEST_LINE = 1024 * 1024;

/** The lines of each chunk of an index, a byte for a character. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new ArchiveDamaged('its index has a line without an end');
    yield lines;
  }
  if (rest !== '') yield [rest];
}

/** A line of a CDXJ index, of any program. Undefined: it is none, or has an impossible date. */
export function parseLine(line: string): IndexedRecord | undefined {
  const brace = line.indexOf(' {');
  const [key = '', digits = ''] = line.slice(0, Math.max(0, brace)).split(' ', 2);
  const fields = brace < 0 || line.startsWith('!') ? undefined : readFields(Buffer.from(line.slice(brace + 1), 'latin1').toString('utf8'));
  if (fields === undefined || toDate(digits) === undefined) return undefined;
  const text = (name: string) => (['string', 'number'].includes(typeof fields[name]) ? String(fields[name]) : '');
  const [url = '', posted] = text('url').split(POSTED, 2);
  const named = /__wb_method=([a-z]+)/i.exec(posted ?? (POSTED.test(key) ? key : ''))?.[1]?.toUpperCase();
  const method = text('method') || named;
  const place = { offset: Number(text('offset') || NaN), length: Number(text('length')), filename: text('filename').replace(/^.*\//, '') };
  return {
    ...{
      key,
      date: digits.slice(0, 14).padEnd(14, '0'),
      url,
      mime: text('mime'),
      status: Number(text('status')) || 0,
      digest: text('digest'),
    },
    ...place,
    ...(method === undefined || method === 'GET' ? {} : { method, requestBody: posted?.replace(/^[^&]*&?/, '') ?? text('requestBody') }),
  };
}

/** Where the posted data begins in a URL. */
const POSTED = /[?&](?=__wb_method=)/;

/** The key of a record as we look for it: programs spell keys differently. */
export function keyOfRecord({ url, method, requestBody = '' }: Pick<IndexedRecord, 'url' | 'method' | 'requestBody'>): string {
  const bare = url.replace(/#.*/s, '');
  if (method === undefined) return lowerKey(bare);
  return lowerKey(`${bare}${bare.includes('?') ? '&' : '?'}__wb_method=${method}&${decoded(requestBody)}`);
}

/** With its escapes in lower case, too. */
export function lowerKey(url: string): string {
  return toKey(url).toLowerCase();
}

/** Whether the line has the key that we look for. */
export function hasOwnKey(line: string): boolean {
  const key = line.slice(0, line.indexOf(' '));
  // Nothing of it is escaped or encoded: faster than to parse it.
  const isPlain = !line.includes('\\') && !line.includes('__wb_method') && !line.includes('"method"');
  const [, url] = isPlain ? (/"url": ?"([\x21\x23-\x7e]*)"/.exec(line) ?? []) : [];
  if (url !== undefined && !url.includes('#'))
    return key === lowerKey(url) && /^\d{14} \{/.test(line.slice(key.length + 1, key.length + 17));
  const record = parseLine(line);
  return record !== undefined && key === keyOfRecord(record);
}

/** As warcio makes keys of posted data. */
function decoded(query: string): string {
  try {
    return decodeURI(query);
  } catch {
    return '';
  }
}

/** Undefined: no JSON object. */
function readFields(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // An object has fields of any kind.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A moment of 4 to 17 digits (CDX); undefined: none that exists. */
export function toDate(digits: string): Date | undefined {
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\d*$/.exec(digits) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
