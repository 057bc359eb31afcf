import { type CdxEntry, createCdxIndex, toKey } from '@platen/lib-warc';
import type { ByteSource } from './byte-source.js';
import { ArchiveDamaged } from './contract.js';
import type { Scratch } from './scratch.js';

/** A record of the archive that may answer a request. */
export interface IndexedRecord extends Omit<CdxEntry, 'date' | 'status'> {
  /** 14 digits, UTC. */
  readonly date: string;
  /** 0: unknown. */
  readonly status: number;
}

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

export interface IndexBuilder extends AsyncDisposable {
  readonly count: number;
  /** Ignores what is no response of a web server. Keys are in lower case, escapes too. Resolves when more is accepted. */
  add(entry: CdxEntry): Promise<void>;
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
  return {
    get count() {
      return sorter.count;
    },
    async add(entry) {
      if (!/^https?:\/\//i.test(entry.url) || entry.url.length > LONGEST_URL || Number.isNaN(entry.date.getTime())) return;
      sorter.add({ ...entry, key: entry.key.toLowerCase() });
      firstTime = Math.min(firstTime, entry.date.getTime());
      if (sorter.count % BATCH === 0) await sorter.flushed();
    },
    async build() {
      const starts: Block[] = [];
      const source = await scratch.store(inBlocks(sorter.lines(), starts));
      // 14 digits.
      const firstDate = new Date(Math.min(firstTime, 8.64e15)).toISOString().replace(/\D/g, '').slice(0, 14);
      return openIndex({ source, starts, firstDate, count: sorter.count });
    },
    [Symbol.asyncDispose]: () => sorter[Symbol.asyncDispose](),
  };
}

/** Lines of the sorted file that are read together. */
interface Block {
  readonly first: string;
  readonly offset: number;
}

const BLOCK_CHARACTERS = 32 * 1024;

async function* inBlocks(lines: AsyncIterable<string>, starts: Block[]): AsyncGenerator<Buffer> {
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

interface SortedLines extends Pick<ArchiveIndex, 'firstDate' | 'count'> {
  readonly source: ByteSource;
  readonly starts: readonly Block[];
}

function openIndex({ source, starts, firstDate, count }: SortedLines): ArchiveIndex {
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
          if (line.startsWith(prefix)) yield parseLine(line);
          else if (line > prefix) return;
        }
      }
    },
    async *all(test = () => true) {
      for (const at of starts.keys()) for (const line of await linesOf(at)) if (test(line)) yield parseLine(line);
    },
    async *around(key) {
      const middle = blockOf(starts, key);
      for (const at of [middle - 1, middle, middle + 1]) for (const line of await linesOf(at)) yield parseLine(line);
    },
  };
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

/** As `createCdxIndex` has written it. */
function parseLine(line: string): IndexedRecord {
  const [key = '', date = ''] = line.split(' ', 2);
  const fields = JSON.parse(line.slice(key.length + date.length + 2)) as Record<string, string>;
  const { url = '', mime = '', status = '0', digest = '', filename = '' } = fields;
  const place = { length: Number(fields['length']), offset: Number(fields['offset']), filename };
  return { key, date, url, mime, status: Number(status), digest, ...place, method: fields['method'], requestBody: fields['requestBody'] };
}

const LONGEST_LINE = 1024 * 1024;

/** Adds the lines of a CDXJ index that another program has written, under keys of our own: programs spell them differently. */
export async function addCdxj(chunks: AsyncIterable<Buffer>, builder: IndexBuilder): Promise<void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new ArchiveDamaged('its index has a line without an end');
    for (const line of lines) await addLine(line, builder);
  }
  await addLine(rest, builder);
}

async function addLine(line: string, builder: IndexBuilder): Promise<void> {
  const brace = line.indexOf(' {');
  const [theirKey = '', digits = ''] = line.slice(0, brace).split(' ');
  const date = toDate(digits);
  if (brace < 0 || line.startsWith('!') || date === undefined) return;
  const fields = readFields(Buffer.from(line.slice(brace + 1), 'latin1').toString('utf8'));
  if (fields === undefined) return;
  const text = (name: string) => (['string', 'number'].includes(typeof fields[name]) ? String(fields[name]) : '');
  const [url = '', posted] = text('url').split(/[?&](?=__wb_method=)/, 2);
  const method =
    text('method') || /^__wb_method=([a-z]+)/i.exec(posted ?? /[?&](__wb_method=[a-z]+)/.exec(theirKey)?.[1] ?? '')?.[1]?.toUpperCase();
  const query = posted ?? (method === undefined || method === 'GET' ? undefined : `__wb_method=${method}&${decoded(text('requestBody'))}`);
  const place = { offset: Number(text('offset') || NaN), length: Number(text('length')), filename: text('filename').replace(/^.*\//, '') };
  await builder.add({
    key: toKey(query === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`),
    date,
    url,
    mime: text('mime'),
    status: Number(text('status')) || undefined,
    digest: text('digest'),
    ...place,
    ...(method === undefined || method === 'GET' ? {} : { method, requestBody: text('requestBody') }),
  });
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
