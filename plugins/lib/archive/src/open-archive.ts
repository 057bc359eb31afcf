import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ArchiveIndex } from './archive-index.js';
import { type ByteSource, openPart, readFrom } from './byte-source.js';
import { lowerKey } from './cdxj.js';
import { type Archive, ArchiveDamaged, NotAnArchive } from './contract.js';
import { findResponse } from './find-response.js';
import { mostAlike } from './fuzzy-url.js';
import { isGzip, openMember } from './gzip-member.js';
import { createIndexBuilder } from './index-builder.js';
import { openWacz } from './open-wacz.js';
import { type OpenedFiles, type Opening, scanSource } from './opening.js';
import { readHar } from './read-har.js';
import { createResponseReader } from './read-response.js';
import { openScratch } from './scratch.js';

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Of the file, hex, if it is known. */
  readonly sha256?: string;
  /** Bytes that opening may decompress: indexes, and files that are not stored as they are. */
  readonly maxInflatedBytes?: number;
}

const MOST_INFLATED = 4 * 1024 ** 3;

/**
 * Opens a WACZ, WARC or HAR file for reading. The index is sorted on disk: memory does not grow with the archive.
 *
 * @throws NotAnArchive, also for one that is too damaged to be opened; the signal's reason
 */
export async function openArchive(file: string, { signal, sha256, maxInflatedBytes = MOST_INFLATED }: OpenOptions): Promise<Archive> {
  const handle = await open(file, 'r');
  const scratch = openScratch(maxInflatedBytes, signal);
  const close = async () => {
    await scratch[Symbol.asyncDispose]();
    await handle.close();
  };
  try {
    await using builder = createIndexBuilder(scratch);
    const source = openPart(handle, 0, (await handle.stat()).size);
    const files = await openFiles({ handle, source, builder, scratch, signal });
    const index = await builder.build();
    return toArchive({ ...files, index, close, sha256: sha256 ?? (await hash(source, signal)) });
  } catch (error) {
    await close();
    throw error instanceof ArchiveDamaged ? new NotAnArchive(`a damaged archive: ${error.message}`, { cause: error }) : error;
  }
}

interface Parts extends OpenedFiles {
  readonly index: ArchiveIndex;
  readonly sha256: string;
  close(): Promise<void>;
}

const MOST_ALIKE = 5;

function toArchive({ kind, sha256, index, openWarc, bodiless, close }: Parts): Archive {
  const reader = createResponseReader({ index, openWarc });
  return {
    kind,
    sha256,
    find: (query, signal) => findResponse({ index, reader }, query, signal),
    lacksBody: (url) => bodiless?.has(lowerKey(url)) === true,
    async alike(url, signal) {
      const urls = new Set<string>();
      for await (const record of index.around(lowerKey(url))) if (/^https?:/i.test(record.url)) urls.add(record.url);
      signal.throwIfAborted();
      return mostAlike(urls, url, MOST_ALIKE);
    },
    close,
  };
}

async function hash(source: ByteSource, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of readFrom(source, 0, signal)) digest.update(chunk);
  return digest.digest('hex');
}

async function openFiles(opening: Opening): Promise<OpenedFiles> {
  const start = await opening.source.read(0, 1024);
  const text = start.toString('latin1');
  if (text.startsWith('PK\x03\x04')) return await openWacz(opening);
  if (text.startsWith('WARC/')) return await openWarcFile(opening, 'data.warc');
  if (isGzip(start)) return await openGzip(opening);
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(text)) return await openHarFile(opening);
  throw new NotAnArchive(describe(text));
}

function describe(text: string): string {
  if (text === '') return 'an empty file';
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)/i.test(text)) return 'an HTML page';
  return 'neither a WACZ, WARC nor HAR file';
}

async function openGzip(opening: Opening): Promise<OpenedFiles> {
  for await (const chunk of openMember(opening.source, 0, opening.signal).chunks) {
    if (chunk.toString('latin1', 0, 5) === 'WARC/') return await openWarcFile(opening, 'data.warc.gz');
    break;
  }
  throw new NotAnArchive('a gzip file without a WARC file');
}

async function openWarcFile(opening: Opening, name: string): Promise<OpenedFiles> {
  const { source, builder } = opening;
  const read = await scanSource(source, name, opening);
  if (builder.count === 0) throw new NotAnArchive('a WARC file without a response');
  return { kind: 'warc', openWarc: () => Promise.resolve(read) };
}

async function openHarFile(opening: Opening): Promise<OpenedFiles> {
  const { warc, bodiless } = await readHar(opening);
  if (opening.builder.count === 0 && bodiless.size === 0) throw new NotAnArchive('a HAR file without a response that has a body');
  return { kind: 'har', openWarc: () => Promise.resolve(warc), bodiless };
}
