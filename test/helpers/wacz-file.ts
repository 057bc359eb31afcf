import { open } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { runChecker } from './checkers.js';

/** A file of a ZIP file, as Python's own reader sees it. */
export interface ZipMember {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly bytes: number;
  /** Where its own header begins. */
  readonly offset: number;
  /** Hex. */
  readonly sha256: string;
}

/** Reads every file, of which `testzip` checks the CRC. */
const LIST = `
import hashlib, json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
def digest(name):
    return hashlib.sha256(archive.read(name)).hexdigest()
print(json.dumps([dict(name=one.filename, method=one.compress_type, bytes=one.file_size, offset=one.header_offset, sha256=digest(one.filename)) for one in archive.infolist()]))
`;

export async function listMembers(path: string): Promise<readonly ZipMember[]> {
  // The script's own shape.
  return JSON.parse((await runChecker('python3', ['-c', LIST, path])).toString()) as readonly ZipMember[];
}

export function readMember(path: string, name: string): Promise<Buffer> {
  return runChecker('unzip', ['-p', path, name]);
}

/** A line of a CDXJ index. */
export interface CdxLine {
  readonly key: string;
  readonly timestamp: string;
  readonly fields: Readonly<Record<'url' | 'mime' | 'status' | 'offset' | 'length' | 'filename', string>> & { readonly method?: string };
}

export function parseCdx(text: string): readonly CdxLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [key = '', timestamp = ''] = line.split(' ', 2);
      // Checked by who reads a record by it.
      return { key, timestamp, fields: JSON.parse(line.slice(line.indexOf(' {'))) as CdxLine['fields'] };
    });
}

export interface WarcRecord {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly block: Buffer;
}

/** One record from its own gzip member. */
export function parseRecord(member: Buffer): WarcRecord {
  const bytes = gunzipSync(member);
  const end = bytes.indexOf('\r\n\r\n');
  const headers = parseHeaders(bytes.toString('utf8', 0, end));
  return { headers, block: bytes.subarray(end + 4, end + 4 + Number(headers.get('content-length'))) };
}

/** Without the first line; the last of a repeated name counts. */
function parseHeaders(head: string): ReadonlyMap<string, string> {
  const lines = head.split('\r\n').slice(1);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
}

/** Reads parts of the archive's stored WARC as a replayer does: by ranges of the whole file. */
export async function openStored(
  path: string,
  { offset }: ZipMember,
): Promise<{ read(start: number, length: number): Promise<Buffer> } & AsyncDisposable> {
  const file = await open(path);
  const read = async (position: number, length: number) => (await file.read(Buffer.alloc(length), 0, length, position)).buffer;
  const head = await read(offset, 30);
  const start = offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  return { read: (from, length) => read(start + from, length), [Symbol.asyncDispose]: () => file.close() };
}
