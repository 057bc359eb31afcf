import type { ArchiveIndex } from './archive-index.js';
import type { ByteSource } from './byte-source.js';
import { type IndexedRecord, lowerKey } from './cdxj.js';
import { ArchiveDamaged, type ArchivedResponse, type BodyOptions } from './contract.js';
import { collect, decodeBody, decodedHeaders } from './decode-body.js';
import { arePair, readRequest } from './scan-warc.js';
import { type Header, headerOf, openRecord, readHttpHead, type WarcRecord } from './warc-record.js';

export interface ResponseReader {
  /** Undefined: the record has no response that can be shown, such as a revisit without its original. */
  read(record: IndexedRecord, signal: AbortSignal): Promise<ArchivedResponse | undefined>;
  /** The posted data of a record's request, if that follows it; undefined: unknown. */
  requestBody(record: IndexedRecord, signal: AbortSignal): Promise<Buffer | undefined>;
}

export interface ReaderParts {
  readonly index: ArchiveIndex;
  /** A WARC of the archive. @throws ArchiveDamaged if there is none of that name */
  openWarc(filename: string): Promise<ByteSource>;
}

export function createResponseReader({ index, openWarc }: ReaderParts): ResponseReader {
  const withRecord = async <T>(at: IndexedRecord, signal: AbortSignal, use: (record: WarcRecord) => Promise<T>): Promise<T> => {
    try {
      const source = await openWarc(at.filename);
      if (!(at.offset >= 0 && at.offset < source.bytes)) throw new ArchiveDamaged('its index points beyond the end of the file');
      const record = await openRecord(source, at.offset, signal);
      try {
        return await use(record);
      } finally {
        await record.close();
      }
    } catch (error) {
      throw error instanceof ArchiveDamaged ? nameRecord(error, at) : error;
    }
  };
  const readHead = (at: IndexedRecord, signal: AbortSignal) => withRecord(at, signal, (record) => headOf(record, at));
  const bodyOf = (at: IndexedRecord, options: BodyOptions) =>
    withRecord(at, options.signal, async (record) => {
      const { headers } = await headOf(record, at);
      return await collect(decodeBody(record.block.take(Infinity), headers), options);
    });
  return {
    async read(at, signal) {
      const head = await readHead(at, signal);
      if (head.type !== 'revisit') return head.status === 304 ? undefined : respond(at, head, (options) => bodyOf(at, options));
      const original = await originalOf({ index, at, head, signal });
      if (!original) return undefined;
      const shown = head.status === undefined || head.status === 304 ? await readHead(original, signal) : head;
      return respond({ ...at, mime: original.mime }, shown, (options) => bodyOf(original, options));
    },
    requestBody: async (at, signal) => {
      const link = await withRecord(at, signal, async (record) => ({
        ...record,
        concurrentTo: undefined,
        id: record.fields.get('warc-record-id'),
        next: await record.finish(),
      }));
      const next = { ...at, offset: link.next };
      // Without one, what follows is another exchange, or nothing.
      const asked = await withRecord(next, signal, async (record) =>
        record.type === 'request' ? await readRequest(record, signal) : undefined,
      ).catch(() => undefined);
      signal.throwIfAborted();
      return asked && arePair(asked, link) ? asked.body : undefined;
    },
  };
}

function nameRecord(error: ArchiveDamaged, { url, filename, offset }: IndexedRecord): ArchiveDamaged {
  if (error.message.startsWith('the record ')) return error;
  return new ArchiveDamaged(`the record of ${url.slice(0, 200)} at byte ${String(offset)} of ${filename} is damaged: ${error.message}`, {
    cause: error,
  });
}

interface Head {
  readonly type: string;
  readonly fields: WarcRecord['fields'];
  /** Undefined: a revisit without a head of its own. */
  readonly status: number | undefined;
  readonly headers: readonly Header[];
}

async function headOf(record: WarcRecord, { url }: IndexedRecord): Promise<Head> {
  const { type, fields } = record;
  if (record.url.replace(/#.*/s, '') !== url.replace(/#.*/s, '')) throw new ArchiveDamaged('its index points to another record');
  const contentType = fields.get('content-type');
  if (type === 'resource' || (type === 'response' && contentType !== undefined && !/^application\/http\b/i.test(contentType)))
    return { type, fields, status: 200, headers: contentType === undefined ? [] : [['Content-Type', contentType]] };
  if (type !== 'response' && type !== 'revisit') throw new ArchiveDamaged('its index points to a record without a response');
  const http = await readHttpHead(record);
  if (http?.status === undefined && type === 'response') throw new ArchiveDamaged('it has no HTTP head');
  return { type, fields, status: http?.status, headers: http?.headers ?? [] };
}

function respond({ url, date, mime }: IndexedRecord, { status = 200, headers }: Head, body: ArchivedResponse['body']): ArchivedResponse {
  const [, last, size] = /^bytes\s+0-(\d+)\/(\d+)$/i.exec(headerOf(headers, 'content-range')?.trim() ?? '') ?? [];
  // A part that is the whole.
  const isWhole = status === 206 && last !== undefined && Number(last) + 1 === Number(size);
  const shown = isWhole ? headers.filter(([name]) => name.toLowerCase() !== 'content-range') : headers;
  return { url, date, mime, status: isWhole ? 200 : status, headers: decodedHeaders(shown), body };
}

interface Revisit {
  readonly index: ArchiveIndex;
  readonly at: IndexedRecord;
  readonly head: Head;
  readonly signal: AbortSignal;
}

/** The record whose body a revisit has: by URL and date, by its digest, or the nearest of its URL. */
async function originalOf({ index, at, head: { fields }, signal }: Revisit): Promise<IndexedRecord | undefined> {
  const url = fields.get('warc-refers-to-target-uri')?.replace(/^<(.*)>$/, '$1') ?? at.url;
  const date = fields.get('warc-refers-to-date')?.replace(/\D/g, '').slice(0, 14);
  const digest = bareDigest(fields.get('warc-payload-digest') ?? at.digest);
  const isOriginal = ({ mime, status }: IndexedRecord) => mime !== 'warc/revisit' && status !== 304;
  const ofUrl: IndexedRecord[] = [];
  for await (const record of index.find(`${lowerKey(url.replace(/#.*/s, ''))} `)) if (isOriginal(record)) ofUrl.push(record);
  const same = (record: IndexedRecord) => digest !== '' && bareDigest(record.digest) === digest;
  const known = ofUrl.find((record) => record.date === date && (digest === '' || record.digest === '' || same(record))) ?? ofUrl.find(same);
  if (known) return known;
  if (digest === '') return ofUrl.find((record) => record.date === date) ?? ofUrl[0];
  for await (const record of index.all((line) => line.toUpperCase().includes(digest))) {
    signal.throwIfAborted();
    if (isOriginal(record) && same(record)) return record;
  }
  // Some writers hash what they sent, others what they stored.
  return ofUrl.find((record) => record.date === date) ?? ofUrl[0];
}

function bareDigest(digest: string): string {
  return digest.replace(/^[\w-]+:/, '').toUpperCase();
}
