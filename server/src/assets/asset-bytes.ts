import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { addAbortSignal, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredAsset } from '@platen/kernel';

interface WriteOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far before the next ones are written; rejects if there is no room for them. */
  take(bytes: number): Promise<void>;
}

/**
 * Writes a new file. Rejects with the error of `take`, of the source or of the disk, or with the signal's reason; the bytes already written
 * remain.
 */
export async function writeHashed(
  path: string,
  body: Buffer | Readable,
  { signal, take }: WriteOptions,
): Promise<Pick<StoredAsset, 'bytes' | 'sha256'>> {
  signal.throwIfAborted();
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      take(bytes).then(() => done(null, chunk), done);
    },
  });
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : addAbortSignal(signal, body);
  await pipeline(source, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { bytes, sha256: hash.digest('hex') };
}

export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}
