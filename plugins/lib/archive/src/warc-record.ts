import { isUtf8 } from 'node:buffer';
import { type ByteSource, readFrom } from './byte-source.js';
import { ArchiveDamaged } from './contract.js';
import { Cursor } from './cursor.js';
import { isGzip, openMember } from './gzip-member.js';

/** A record of a WARC file, read as far as its head. It is to be closed. */
export interface WarcRecord {
  /** Named fields, by name in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** `WARC-Type`. */
  readonly type: string;
  /** `WARC-Target-URI`, without the angle brackets of older versions of wget. */
  readonly url: string;
  /** The content; to be read once. */
  readonly block: Cursor;
  /**
   * Reads it to its end.
   *
   * @returns the offset of the next record
   * @throws SharedMember if others are in its gzip member
   */
  finish(): Promise<number>;
  close(): Promise<void>;
}

/** Records that are not compressed one by one have no offset of their own. */
export class SharedMember extends Error {
  override readonly name = 'SharedMember';
}

const LONGEST_HEAD = 256 * 1024;

/** @throws ArchiveDamaged, the signal's reason */
export async function openRecord(source: ByteSource, offset: number, signal: AbortSignal): Promise<WarcRecord> {
  const first = await source.read(offset, 3);
  const member = isGzip(first) ? openMember(source, offset, signal) : undefined;
  const cursor = new Cursor(member?.chunks ?? readFrom(source, offset, signal));
  try {
    const head = await cursor.head(LONGEST_HEAD);
    if (head?.toString('latin1', 0, 5) !== 'WARC/') throw new ArchiveDamaged('there is no WARC record');
    const lines = parseHeaders(head);
    const fields = new Map(lines.map(([name, value]) => [name.toLowerCase(), value] as const));
    const bytes = Number(fields.get('content-length'));
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new ArchiveDamaged('its Content-Length is invalid');
    const block = new Cursor(exactly(cursor, bytes));
    return {
      fields,
      type: fields.get('warc-type')?.toLowerCase() ?? '',
      url: (fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1'),
      block,
      async finish() {
        if (member === undefined) return await skipBreaks(source, offset + head.length + bytes);
        await drain(block, signal);
        if ((await cursor.peek(16)).toString('latin1', 0, 16).trimStart().startsWith('WARC/')) throw new SharedMember();
        await drain(cursor, signal);
        return member.end();
      },
      close: () => cursor.close(),
    };
  } catch (error) {
    await cursor.close();
    throw error;
  }
}

async function drain(cursor: Cursor, signal: AbortSignal): Promise<void> {
  for await (const chunk of cursor.take(Infinity)) if (chunk.length > 0) signal.throwIfAborted();
}

/** Blank lines between records. */
async function skipBreaks(source: ByteSource, offset: number): Promise<number> {
  const breaks = /^[\r\n]*/.exec((await source.read(offset, 64)).toString('latin1'));
  return offset + (breaks?.[0].length ?? 0);
}

async function* exactly(cursor: Cursor, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of cursor.take(bytes)) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw endsEarly(left);
}

export function endsEarly(bytes: number): ArchiveDamaged {
  return new ArchiveDamaged(`it ends ${String(bytes)} ${bytes === 1 ? 'byte' : 'bytes'} too early`);
}

export type Header = readonly [name: string, value: string];

/** The head of an HTTP response or request. */
export interface HttpHead {
  /** Undefined for a request. */
  readonly status: number | undefined;
  /** Undefined for a response. */
  readonly method: string | undefined;
  readonly headers: readonly Header[];
}

/** Reads the head of the exchange in a record. Undefined: it has none, as a revisit may. */
export async function readHttpHead(record: WarcRecord): Promise<HttpHead | undefined> {
  const start = await record.block.peek(1);
  if (start.length === 0) return undefined;
  // A head alone may lack its empty line.
  const head = (await record.block.head(LONGEST_HEAD)) ?? (await record.block.peek(LONGEST_HEAD));
  const [line = ''] = head.toString('latin1', 0, 1024).split(/\r?\n/, 1);
  const status = /^(?:HTTP\/[\d.]+|ICY) +(\d{3})\b/.exec(line)?.[1];
  const method = /^([A-Z]+) /.exec(line)?.[1];
  if (status === undefined && method === undefined) return undefined;
  return {
    status: status === undefined ? undefined : Number(status),
    method: status === undefined ? method : undefined,
    headers: parseHeaders(head),
  };
}

/** The lines after the first. UTF-8, as writers of WARC files use it, else Latin-1. */
function parseHeaders(head: Buffer): readonly Header[] {
  const text = head.toString(isUtf8(head) ? 'utf8' : 'latin1');
  const unfolded = text.replace(/\r?\n[ \t]+/g, ' ');
  return unfolded
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line): Header[] => {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(0, colon)).trimEnd();
      return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
        ? [
            [
              name,
              line
                .slice(colon + 1)
                .replaceAll('\0', '')
                .trim(),
            ],
          ]
        : [];
    });
}

export function headerOf(headers: readonly Header[], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}
