import { open, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { getSurt, postToGetUrl } from 'warcio';
import { type CdxLine, listMembers, openStored, parseCdx, parseRecord, readMember, type WarcRecord } from './wacz-file.js';

/** Paths of a WACZ file, or of a WARC file and its index. */
export type ArchiveFiles = { readonly wacz: string } | { readonly warc: string; readonly cdxj: string };

export interface ArchivedAnswer {
  readonly status: number;
  /** A name that occurs more than once has all of its values. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Answers requests from an archive by nothing but its index. */
export interface ArchiveLookup extends AsyncDisposable {
  readonly lines: readonly CdxLine[];
  /** GET by its exact URL without the fragment, anything else by the index's key; of several the first. */
  find(request: AskedRequest): Promise<ArchivedAnswer | undefined>;
}

export async function openLookup(files: ArchiveFiles): Promise<ArchiveLookup> {
  const { text, stored } = await openArchive(files);
  const lines = parseCdx(text);
  const recordOf = async ({ fields }: CdxLine) => parseRecord(await stored.read(Number(fields.offset), Number(fields.length)));
  const inTime = (one: CdxLine, other: CdxLine) => one.timestamp.localeCompare(other.timestamp);
  const first = (matches: (line: CdxLine) => boolean) => lines.filter(matches).sort(inTime)[0];
  return {
    lines,
    async find(request) {
      const line = first(request.method === 'GET' ? isAt(request.url) : hasKeyOf(request));
      if (!line) return undefined;
      const record = await recordOf(line);
      if (record.headers.get('warc-type') !== 'revisit') return toAnswer(record);
      const original = first((one) => isOriginal(record, one));
      return original && { ...toAnswer(record), body: toAnswer(await recordOf(original)).body };
    },
    [Symbol.asyncDispose]: () => stored[Symbol.asyncDispose](),
  };
}

interface OpenArchive {
  readonly text: string;
  readonly stored: Awaited<ReturnType<typeof openStored>>;
}

async function openArchive(files: ArchiveFiles): Promise<OpenArchive> {
  if ('warc' in files) {
    const file = await open(files.warc);
    const read = async (start: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, start)).buffer;
    return { text: await readFile(files.cdxj, 'utf8'), stored: { read, [Symbol.asyncDispose]: () => file.close() } };
  }
  const members = await listMembers(files.wacz);
  const warc = members.find(({ name }) => name.startsWith('archive/'));
  if (!warc) throw new Error('there is no WARC in the archive');
  const packed = members.some(({ name }) => name === 'indexes/index.cdx.gz');
  const text = packed
    ? gunzipSync(await readMember(files.wacz, 'indexes/index.cdx.gz'))
    : await readMember(files.wacz, 'indexes/index.cdx');
  return { text: text.toString(), stored: await openStored(files.wacz, warc) };
}

function isAt(asked: string): (line: CdxLine) => boolean {
  const url = asked.replace(/#.*/, '');
  return ({ fields }) => fields.url === url && (fields.method ?? 'GET') === 'GET';
}

/** A body is part of the key. */
function hasKeyOf({ method, url, headers, body = '' }: AskedRequest): (line: CdxLine) => boolean {
  const lookup = { method, url: url.replace(/#.*/, ''), headers: new Map(Object.entries(headers)), postData: body };
  postToGetUrl(lookup);
  const key = getSurt(lookup.url);
  return (line) => line.key === key && line.fields.method === method;
}

/** Of a revisit (WARC 1.1, 6.7). */
function isOriginal({ headers }: WarcRecord, { fields, timestamp }: CdxLine): boolean {
  const date = headers.get('warc-refers-to-date')?.replace(/\D/g, '').slice(0, 14);
  return fields.url === headers.get('warc-refers-to-target-uri') && timestamp === date && fields.mime !== 'warc/revisit';
}

/** Of the transfer, which is not repeated. */
const HOP_HEADERS = ['content-length', 'content-encoding', 'transfer-encoding', 'connection'];

function toAnswer({ block }: WarcRecord): ArchivedAnswer {
  const end = block.indexOf('\r\n\r\n');
  const [first = '', ...lines] = block.toString('latin1', 0, end).split('\r\n');
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    if (!HOP_HEADERS.includes(name)) headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  const single = [...headers].map(([name, values]): [string, string | string[]] => [
    name,
    values.length === 1 ? (values[0] ?? '') : values,
  ]);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(single), body: block.subarray(end + 4) };
}
