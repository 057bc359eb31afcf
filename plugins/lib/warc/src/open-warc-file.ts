import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Clock, isDiskFull, PlatenError } from '@platen/kernel';
import { type CdxEntry, type CdxIndex, toAsciiJson } from './cdx-index.js';
import { readLines } from './merge-sorted.js';
import { createStoredResponses, type Original, type StoredResponses } from './stored-responses.js';
import { createWarcWriter, type WarcWriter } from './warc-writer.js';

/** A WARC on disk that can be continued after its process has ended: beside it is a journal of its records. */
export interface WarcFile extends AsyncDisposable {
  readonly writer: WarcWriter;
  /** Adds a value of the caller to the journal; it is passed to `onNote` when the file is continued. */
  note(value: object): void;
  /** Makes all that was written durable. Resolves with a checkpoint, from which it can be continued. */
  commit(): Promise<string>;
  read(): Readable;
}

export interface WarcFileOptions {
  readonly file: string;
  readonly journal: string;
  /** Undefined: the file begins anew. Bytes after the checkpoint are cut off. */
  readonly checkpoint: string | undefined;
  /** The WARC's name, in itself and in the index. */
  readonly filename: string;
  readonly index?: CdxIndex | undefined;
  /** Reports bytes written, first those from before. */
  readonly wrote?: (bytes: number) => void;
  readonly onNote?: (value: unknown) => void;
  /** See `WarcWriterOptions`. */
  readonly clock?: Clock;
}

/** Sizes in bytes. */
interface Checkpoint {
  readonly warc: number;
  readonly journal: number;
}

/** One line of the journal, as JSON. */
type Entry =
  | readonly ['url', string]
  | readonly ['original', string, Omit<Original, 'date'> & { readonly date: string }]
  | readonly ['record', Omit<CdxEntry, 'date'> & { readonly date: string }]
  | readonly ['note', object];

/**
 * Opens the file, or creates it.
 *
 * @throws `encode_failed` if the disk is full, or if the files are shorter than the checkpoint says
 */
export async function openWarcFile(options: WarcFileOptions): Promise<WarcFile> {
  const { filename, index, clock } = options;
  // Written by `commit`.
  const at = options.checkpoint === undefined ? { warc: 0, journal: 0 } : (JSON.parse(options.checkpoint) as Checkpoint);
  const warc = await openCut(options.file, at.warc);
  const journal = await openCut(options.journal, at.journal);
  const stored = createStoredResponses();
  for await (const line of readLines(createReadStream(options.journal))) restore(line, { ...options, stored });
  let [warcBytes, journalBytes] = [at.warc, at.journal];
  const lines: string[] = [];
  const add = (...entry: Entry) => lines.push(`${toAsciiJson(entry)}\n`);
  const writer = createWarcWriter({
    ...{ filename, clock },
    before: { bytes: at.warc, stored: journaled(stored, add) },
    index: {
      add(entry) {
        index?.add(entry);
        add('record', { ...entry, date: entry.date.toISOString() });
      },
    },
    async write(bytes) {
      await writeAll(warc, bytes, warcBytes);
      warcBytes += bytes.length;
      options.wrote?.(bytes.length);
    },
  });
  options.wrote?.(at.warc);
  return {
    writer,
    note(value) {
      add('note', value);
    },
    async commit() {
      const bytes = Buffer.from(lines.splice(0).join(''));
      await writeAll(journal, bytes, journalBytes);
      journalBytes += bytes.length;
      await Promise.all([warc.datasync(), journal.datasync()]);
      return JSON.stringify({ warc: warcBytes, journal: journalBytes } satisfies Checkpoint);
    },
    read: () => createReadStream(options.file),
    async [Symbol.asyncDispose]() {
      await Promise.all([warc.close(), journal.close()]);
    },
  };
}

/** Opens a file that an earlier process has begun, without the bytes after those that it committed. Only its owner can read it. */
export async function openCut(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, bytes === 0 ? 'w+' : 'r+', 0o600).catch((cause: unknown) => {
    throw changed(cause);
  });
  const { size } = await file.stat();
  if (size < bytes) {
    await file.close();
    throw changed();
  }
  await file.truncate(bytes);
  return file;
}

function changed(cause?: unknown): PlatenError {
  return new PlatenError('encode_failed', 'the archive cannot be continued: its files were changed', { cause });
}

export async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const step = await file.write(bytes, written, bytes.length - written, position + written).catch((cause: unknown) => {
      throw isDiskFull(cause) ? new PlatenError('encode_failed', 'the archive could not be written: the disk is full', { cause }) : cause;
    });
    written += step.bytesWritten;
  }
}

function journaled(stored: StoredResponses, add: (...entry: Entry) => void): StoredResponses {
  return {
    ...stored,
    addUrl(url, documentAt) {
      stored.addUrl(url, documentAt);
      add('url', url);
    },
    addOriginal(digest, original) {
      stored.addOriginal(digest, original);
      add('original', digest, { ...original, date: original.date.toISOString() });
    },
  };
}

function restore(
  line: string,
  { stored, index, onNote }: Pick<WarcFileOptions, 'index' | 'onNote'> & { readonly stored: StoredResponses },
): void {
  // Written by `add`.
  const entry = JSON.parse(line) as Entry;
  if (entry[0] === 'url') stored.addUrl(entry[1]);
  else if (entry[0] === 'original') stored.addOriginal(entry[1], { ...entry[2], date: new Date(entry[2].date) });
  else if (entry[0] === 'record') index?.add({ ...entry[1], date: new Date(entry[1].date) });
  else onNote?.(entry[1]);
}
