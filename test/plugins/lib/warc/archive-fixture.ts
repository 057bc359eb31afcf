import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { CDXIndexer, WARCParser, type WARCRecord } from 'warcio';
import {
  type ArchivedBody,
  type ArchivedExchange,
  type ArchivedRequest,
  type ArchivedResponse,
  createCdxIndex,
  createWarcWriter,
  type WarcWriter,
} from '../../../../plugins/lib/warc/src/index.js';

/** A body as the recorder has it, in chunks. */
export function bodyOf(content: string | Buffer, more: Partial<ArchivedBody> = {}): ArchivedBody {
  const bytes = Buffer.from(content);
  const half = Math.ceil(bytes.length / 2);
  return {
    ...{ state: 'complete', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    open: () => Readable.from([bytes.subarray(0, half), bytes.subarray(half)], { objectMode: false }),
    ...more,
  };
}

/** A body without bytes in one of the states that have none. */
export function noBody(state: ArchivedBody['state']): ArchivedBody {
  return { state, bytes: 0, sha256: undefined, open: () => Readable.from([], { objectMode: false }) };
}

export interface Sketch {
  readonly url?: string;
  readonly seconds?: number;
  readonly resourceType?: string;
  readonly failure?: ArchivedExchange['failure'];
  readonly request?: Partial<ArchivedRequest>;
  readonly response?: Partial<ArchivedResponse>;
}

/** An exchange; by default a GET of https://example.com/ at noon, with a page of text as response. */
export function exchangeOf({ url = 'https://example.com/', seconds = 0, request, response, ...more }: Sketch): ArchivedExchange {
  return {
    request: { method: 'GET', url, headers: [{ name: 'Accept', value: '*/*' }], body: undefined, ...request },
    response: {
      ...{ status: 200, statusText: 'OK', protocol: 'http/1.1', headers: [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }] },
      ...{ mimeType: 'text/html', servedFrom: 'network', remote: { address: '192.0.2.1', port: 443 }, body: bodyOf('<p>hello') },
      ...response,
    },
    resourceType: 'Document',
    timing: { wallStart: new Date(Date.UTC(2026, 0, 2, 12, 0, seconds, 345)) },
    failure: undefined,
    ...more,
  };
}

/** A record as warcio reads it. */
export interface ReadRecord {
  readonly type: string;
  /** A WARC header. */
  field(name: string): string | undefined;
  /** The value of an HTTP header; repetitions are joined by ",,,". */
  http(name: string): string | undefined;
  readonly firstLine: string | undefined;
  readonly text: string;
  readonly offset: number;
  readonly length: number;
}

export interface ReadArchive {
  readonly bytes: Buffer;
  readonly records: readonly ReadRecord[];
  /** CDXJ lines. */
  readonly lines: readonly string[];
}

/** Writes with our writer, reads with warcio's parser, and checks every digest. */
export async function archive(work: (writer: WarcWriter) => Promise<unknown>): Promise<ReadArchive> {
  await using index = createCdxIndex();
  const chunks: Buffer[] = [];
  const write = (chunk: Buffer) => {
    chunks.push(chunk);
    return Promise.resolve();
  };
  await work(createWarcWriter({ write, filename: 'test.warc.gz', index }));
  const bytes = Buffer.concat(chunks);
  const lines: string[] = [];
  for await (const line of index.lines()) lines.push(line);
  return { bytes, records: await readRecords(bytes), lines };
}

export function archiveOf(...sketches: readonly Sketch[]): Promise<ReadArchive> {
  return archive(async (writer) => {
    for (const sketch of sketches) await writer.exchange(exchangeOf(sketch));
  });
}

export async function readRecords(bytes: Buffer): Promise<readonly ReadRecord[]> {
  const parser = new WARCParser([bytes], { keepHeadersCase: true });
  const records: ReadRecord[] = [];
  for await (const record of parser) {
    const payload = Buffer.from(await record.readFully());
    const { offset, recordLength: length } = parser;
    checkDigests(record, payload, gunzipSync(bytes.subarray(offset, offset + length)));
    records.push({
      ...{ type: record.warcType, offset, length, text: payload.toString(), firstLine: record.httpHeaders?.statusline },
      field: (name) => record.warcHeaders.headers.get(name) ?? undefined,
      http: (name) => record.httpHeaders?.headers.get(name) ?? undefined,
    });
  }
  return records;
}

const sha256 = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function checkDigests(record: WARCRecord, payload: Buffer, member: Buffer): void {
  const start = member.indexOf('\r\n\r\n') + 4;
  const block = member.subarray(start, start + record.warcContentLength);
  if (member.toString('latin1', start + record.warcContentLength) !== '\r\n\r\n')
    throw new Error('the record does not end after its block');
  if (record.warcBlockDigest !== sha256(block)) throw new Error(`the block digest of ${String(record.warcTargetURI)} is wrong`);
  const stated = record.warcPayloadDigest ?? null;
  if (stated !== null && record.warcType !== 'revisit' && stated !== sha256(payload)) throw new Error('a payload digest is wrong');
}

/** The lines that warcio's own indexer makes of a file, sorted. */
export async function warcioLines(bytes: Buffer): Promise<readonly string[]> {
  const indexer = new CDXIndexer({ format: 'cdxj' });
  const lines: string[] = [];
  for await (const entry of indexer.iterIndex([
    {
      filename: 'test.warc.gz',
      reader: (async function* () {
        yield await Promise.resolve(bytes);
      })(),
    },
  ]))
    lines.push(indexer.serializeCDXJ(entry).trimEnd());
  return lines.sort();
}

/** Key, time and fields of a line. */
export function parseLine(line: string) {
  const [key = '', time = ''] = line.split(' ', 2);
  // Lines of this index have only text.
  const fields = JSON.parse(line.slice(key.length + time.length + 2)) as Readonly<Record<string, string>>;
  return { key, time, fields };
}
