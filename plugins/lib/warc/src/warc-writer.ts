import { Readable } from 'node:stream';
import { type Clock, createClock } from '@platen/kernel';
import type { CdxIndex } from './cdx-index.js';
import type { ArchivedBody, ArchivedExchange } from './exchange.js';
import { encodeRecord, type RecordSink } from './encode-record.js';
import { createExchangeWriter, type WrittenResponse } from './exchange-writer.js';
import { onOneLine } from './http-head.js';
import { toKey } from './lookup-key.js';
import { measureBlock } from './measure-block.js';
import type { StoredResponses } from './stored-responses.js';

/** Writes WARC 1.1 records one after the other, each as a gzip member. After an error it writes no more. */
export interface WarcWriter {
  /** Bytes of the file so far. */
  readonly bytes: number;
  readonly clock: Clock;
  /** Named fields in the order of their keys (WARC 1.1, 6.2). */
  warcinfo(fields: Readonly<Record<string, string>>): Promise<void>;
  /** Writes response and request, a revisit and request, or nothing (undefined), as the exchange requires. */
  exchange(exchange: ArchivedExchange, page?: { readonly id: string }): Promise<WrittenResponse | undefined>;
  /** A record of type `resource`, such as `urn:pageinfo:URL`. */
  resource(record: ResourceRecord): Promise<void>;
}

export interface ResourceRecord {
  readonly uri: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly date: Date;
}

export interface WarcWriterOptions {
  /** Resolves when the sink accepts more. */
  readonly write: (bytes: Buffer) => Promise<void>;
  /** The WARC's name in the index. */
  readonly filename: string;
  /** Without it, nothing is indexed. */
  readonly index?: Pick<CdxIndex, 'add'> | undefined;
  /** Of a file that is continued: its size and its responses. */
  readonly before?: { readonly bytes: number; readonly stored: StoredResponses };
  /** Of the render. A frozen one has all dates of the records, and these are in the order of their URLs. */
  readonly clock?: Clock | undefined;
}

export function createWarcWriter({ write, filename, index, before, clock = createClock() }: WarcWriterOptions): WarcWriter {
  let bytes = before?.bytes ?? 0;
  const sink: RecordSink = {
    clock,
    async append(record) {
      const offset = bytes;
      await encodeRecord(record, async (chunk) => {
        bytes += chunk.length;
        await write(chunk);
      });
      return { offset, length: bytes - offset };
    },
    index: index && {
      add(entry) {
        index.add({ ...entry, filename });
      },
    },
  };
  const writeExchange = createExchangeWriter(sink, before?.stored);
  let last: Promise<unknown> = Promise.resolve();
  // Records do not interleave, and none follows one that was cut off by an error.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };
  return {
    get bytes() {
      return bytes;
    },
    clock,
    warcinfo: (fields) => inTurn(() => appendInfo(sink, filename, fields)),
    exchange: (exchange, page) => inTurn(() => writeExchange(exchange, page)),
    resource: (record) => inTurn(() => appendResource(sink, record)),
  };
}

async function appendInfo(sink: RecordSink, filename: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${onOneLine(value)}\r\n`);
  await sink.append({
    type: 'warcinfo',
    id: sink.clock.uuid(),
    date: sink.clock.now(),
    contentType: 'application/warc-fields',
    fields: { 'WARC-Filename': filename },
    block: await measureBlock(Buffer.from(lines.join(''))),
  });
}

async function appendResource(sink: RecordSink, { uri, contentType, body, date }: ResourceRecord): Promise<void> {
  const block = await measureBlock(Buffer.alloc(0), inMemory(body));
  const placed = await sink.append({
    type: 'resource',
    id: sink.clock.uuid(),
    date,
    contentType,
    block,
    fields: { 'WARC-Target-URI': uri, 'WARC-Payload-Digest': block.payloadDigest },
  });
  const line = { key: toKey(uri), date, url: uri, mime: contentType, status: undefined, digest: block.payloadDigest };
  sink.index?.add({ ...line, ...placed });
}

function inMemory(bytes: Buffer): ArchivedBody {
  return { state: 'complete', bytes: bytes.length, sha256: undefined, open: () => Readable.from([bytes], { objectMode: false }) };
}
