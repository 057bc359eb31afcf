import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type Archive, type ArchiveQuery, type FoundResponse, openArchive, type OpenOptions } from '@platen/lib-archive';
import { addFile, streamZip } from '../../../../plugins/output/wacz/src/zip-stream.js';

export const never = new AbortController().signal;
export const SITE = 'https://site.test/';

export interface RecordSketch {
  readonly url?: string;
  readonly type?: string;
  readonly date?: string;
  /** Status line and headers, without the empty line; undefined: the record has no HTTP head. */
  readonly http?: string | undefined;
  readonly body?: string | Buffer;
  readonly fields?: Readonly<Record<string, string>>;
  /** States another length than the block has. */
  readonly contentLength?: number;
}

export const OK_HTML = 'HTTP/1.1 200 OK\r\nContent-Type: text/html';

/** The bytes of a WARC record, as any writer might write it. */
export function record({
  url = SITE,
  type = 'response',
  date = '2026-01-02T12:00:00Z',
  http = OK_HTML,
  body = '',
  ...more
}: RecordSketch): Buffer {
  const head = http === '' ? '' : `${http}\r\n\r\n`;
  const block = Buffer.concat([Buffer.from(head), Buffer.from(body)]);
  const fields = {
    'WARC-Type': type,
    'WARC-Target-URI': url,
    'WARC-Date': date,
    'Content-Type': `application/http; msgtype=${type === 'request' ? 'request' : 'response'}`,
    ...more.fields,
    'Content-Length': String(more.contentLength ?? block.length),
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), block, Buffer.from('\r\n\r\n')]);
}

/** Each record as a gzip member, as in `.warc.gz`. */
export function packed(...records: readonly Buffer[]): Buffer {
  return Buffer.concat(records.map((bytes) => gzipSync(bytes)));
}

/** A ZIP file; files named `.gz` are stored, others compressed. */
export async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  return await buffer(
    streamZip(async (writer) => {
      for (const [path, content] of Object.entries(files)) await addFile(writer, path, [Buffer.from(content)]);
    }),
  );
}

export interface OpenedArchive extends AsyncDisposable {
  readonly archive: Archive;
  /** A GET that finds, by default. */
  find(url: string, more?: Partial<ArchiveQuery>): Promise<FoundResponse | undefined>;
  /** The whole body, as text, of what is found; undefined: nothing. */
  text(url: string, more?: Partial<ArchiveQuery>): Promise<string | undefined>;
}

export const MAX_BYTES = 1024 * 1024;

export async function opened(bytes: Buffer, options: Partial<OpenOptions> = {}): Promise<OpenedArchive> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const file = join(folder, 'archive');
  await writeFile(file, bytes);
  const remove = () => rm(folder, { recursive: true });
  const archive = await openArchive(file, { signal: never, ...options }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const find: OpenedArchive['find'] = (url, more = {}) => archive.find({ method: 'GET', url, match: 'fuzzy', ...more }, never);
  return {
    archive,
    find,
    async text(url, more) {
      const found = await find(url, more);
      return (await found?.response.body({ signal: never, maxBytes: MAX_BYTES }))?.toString();
    },
    async [Symbol.asyncDispose]() {
      await archive.close();
      await remove();
    },
  };
}

/** One line of a CDXJ index. */
export function cdxj(
  url: string,
  fields: Readonly<Record<string, unknown>>,
  { key = `key,of)/${url}`, date = '20260102120000' } = {},
): string {
  return `${key.replace(/ /g, '')} ${date} ${JSON.stringify({ url, mime: 'text/html', status: '200', filename: 'data.warc.gz', ...fields })}\n`;
}
