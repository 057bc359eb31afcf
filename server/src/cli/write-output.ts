import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Output } from '@platen/kernel';
import { OutputError } from './exit-codes.js';

/** Writes the output to a stream that stays open: stdout. Resolves with the number of bytes. */
export async function writeToStream({ body }: Output, stream: Writable): Promise<number> {
  let bytes = 0;
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await pipeline(source, stream, { end: false });
  return bytes;
}

/** Throws where the file could not be written, before a browser is troubled for it. */
export async function assertWritable(path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw toOutputError(error, path);
  }
  const found = await stat(path).catch((error: unknown) => {
    // A file that is not there yet is as it should be.
    if (isMissing(error)) return undefined;
    throw toOutputError(error, path);
  });
  if (found?.isDirectory() === true) throw new OutputError(`cannot write ${path}: it is a folder`);
}

/** Writes the output to a file, which appears whole or not at all. Resolves with the number of bytes. */
export async function writeToFile(output: Pick<Output, 'body'>, path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  // A device or a pipe is written to; replacing it would be a surprise.
  const inPlace = found !== undefined && !found.isFile();
  const target = inPlace ? path : join(dirname(path), `.platen-${randomUUID()}.part`);
  const { body } = output;
  let bytes = 0;
  try {
    const file = createWriteStream(target, { flags: inPlace ? 'w' : 'wx' });
    await pipeline(Buffer.isBuffer(body) ? [body] : body, file);
    bytes = file.bytesWritten;
    if (!inPlace) await rename(target, path);
  } catch (error) {
    // What keeps it from being removed keeps it from being there, or is told by the error itself.
    if (!inPlace) await rm(target, { force: true }).catch(() => undefined);
    throw toOutputError(error, path);
  }
  return bytes;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function toOutputError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  return new OutputError(`cannot write ${path}: ${REASONS[String(error.code)] ?? String(error.code)}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'not allowed',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOTDIR: 'a part of the path is no folder',
};
