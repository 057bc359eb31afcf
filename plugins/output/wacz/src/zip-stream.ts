import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { basename } from 'node:path/posix';
import { PassThrough, Readable } from 'node:stream';
import { ZipArchive } from 'archiver';

/** A file of the archive, as its manifest lists it (WACZ 1.1.1, datapackage.json). */
export interface Resource {
  /** Lower case, which the manifest's own format (Frictionless Data Package, `name`) requires. */
  readonly name: string;
  readonly path: string;
  /** `sha256:` and hex, of the file as it is before the ZIP file compresses it. */
  readonly hash: string;
  readonly bytes: number;
}

/** One file of the archive while it is written. */
export interface ZipEntry {
  /** Resolves when more is accepted: a slow reader slows the writer. Rejects if the archive is no longer read. */
  write(bytes: Buffer): Promise<void>;
  end(): Resource;
}

export interface ZipWriter {
  readonly signal: AbortSignal;
  /** Opens the next file, which ends before another one is opened. `store`: without compression, so that parts of it can be read. */
  openEntry(path: string, options?: { readonly store: boolean }): ZipEntry;
}

/** Bytes that each stage of the archive may hold: its own default is 1 MiB. */
const BUFFERED = 64 * 1024;

/** A ZIP file as a stream. `fill` writes its files, of one date, starting when the stream is first read; if it fails, so does the stream. */
export function streamZip(fill: (zip: ZipWriter) => Promise<void>, date = new Date()): Readable {
  const archive = new ZipArchive({ highWaterMark: BUFFERED });
  const reader = new AbortController();
  const run = async (): Promise<void> => {
    await fill({ signal: reader.signal, openEntry: (path, options) => openEntry({ archive, date, signal: reader.signal }, path, options) });
    await archive.finalize();
  };
  let running = false;
  // The archive is a stream of the package `readable-stream`, which is not an instance of Node's.
  const output = new Readable({
    read() {
      archive.resume();
      if (running) return;
      running = true;
      run().catch((error: unknown) => output.destroy(toError(error)));
    },
    destroy(error, done) {
      reader.abort(error ?? new Error('the archive is no longer read'));
      archive.destroy();
      done(error);
    },
  });
  archive.on('data', (bytes: Buffer) => {
    if (!output.push(bytes)) archive.pause();
  });
  archive.on('end', () => output.push(null));
  archive.on('error', (error) => output.destroy(error));
  archive.pause();
  return output;
}

interface OpenZip {
  readonly archive: ZipArchive;
  readonly date: Date;
  readonly signal: AbortSignal;
}

function openEntry({ archive, date, signal }: OpenZip, path: string, { store } = { store: false }): ZipEntry {
  const input = new PassThrough();
  const hash = createHash('sha256');
  let size = 0;
  archive.append(input, { name: path, store, date });
  return {
    async write(bytes) {
      signal.throwIfAborted();
      hash.update(bytes);
      size += bytes.length;
      if (!input.write(detached(bytes))) await once(input, 'drain', { signal });
    },
    end() {
      input.end();
      return { name: basename(path).toLowerCase(), path, hash: `sha256:${hash.digest('hex')}`, bytes: size };
    },
  };
}

/** Without the larger memory that it is a part of: a compressed record of 200 bytes is one of 16 KiB. */
function detached(bytes: Buffer): Buffer {
  return bytes.length * 2 < bytes.buffer.byteLength ? Buffer.from(bytes) : bytes;
}

export async function addFile(zip: ZipWriter, path: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Resource> {
  const entry = zip.openEntry(path, { store: path.endsWith('.gz') });
  for await (const bytes of content) await entry.write(bytes);
  return entry.end();
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
