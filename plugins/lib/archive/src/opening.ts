import type { FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { IndexBuilder } from './index-builder.js';
import { type ByteSource, CHUNK_BYTES, readFrom } from './byte-source.js';
import type { Archive } from './contract.js';
import { scanWarc } from './scan-warc.js';
import type { Scratch } from './scratch.js';
import { through } from './through.js';
import { SharedMember } from './warc-record.js';

/** An archive that is being opened. */
export interface Opening {
  readonly handle: FileHandle;
  readonly source: ByteSource;
  /** Takes its records. */
  readonly builder: IndexBuilder;
  readonly scratch: Scratch;
  readonly signal: AbortSignal;
}

/** The files of an archive whose records are in the builder. */
export interface OpenedFiles {
  readonly kind: Archive['kind'];
  openWarc(filename: string): Promise<ByteSource>;
  /** Keys of responses whose bodies a HAR file lacks. */
  readonly bodiless?: ReadonlySet<string>;
}

/** Adds the records of a WARC. Resolves with their source: a WARC that is not compressed record by record is decompressed first. */
export async function scanSource(source: ByteSource, name: string, { builder, scratch, signal }: Opening): Promise<ByteSource> {
  try {
    await scanWarc(source, name, { builder, signal });
    return source;
  } catch (error) {
    if (!(error instanceof SharedMember) || builder.count > 0) throw error;
    const plain = await scratch.store(gunzip(readFrom(source, 0, signal)));
    await scanWarc(plain, name, { builder, signal });
    return plain;
  }
}

export function gunzip(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return through(chunks, createGunzip({ chunkSize: CHUNK_BYTES }), 'its gzip data is damaged or ends early');
}
