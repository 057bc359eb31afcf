import type { Readable } from 'node:stream';
import type { Logger, RenderResult } from '@platen/kernel';
import { isStorable } from './cacheable.js';
import { digestOf } from './digest.js';
import { sizeOfEntry, type EntryRecord } from './entry-file.js';
import type { EntryStore } from './entry-store.js';
import { AppendOnlyBody } from './append-only-body.js';

/** A render's result, for all who wait for it. */
export interface SharedResponse {
  readonly result: RenderResult;
  /** Whether it is being written to be kept, and nothing says that it will fail: who asked does not wait for the disk. */
  readonly isKept: boolean;
  /** What is known of it once it is whole, and while it is kept. */
  record(): EntryRecord | undefined;
  /** Whether the render is over, so that nobody needs to be there for it to go on. */
  isDone(): boolean;
  /** The body from its beginning, until `left` aborts. */
  open(left: AbortSignal): Buffer | Readable;
  /** Resolves once it lies in the store, or will not. Never rejects. */
  readonly settled: Promise<void>;
}

export interface SharedResponseParts {
  readonly store: EntryStore;
  readonly log: Logger;
  readonly maxBytes: number;
  readonly key: string;
  /** Asked before it is put where all find it: somebody may have purged it, or put a newer one there, or its rules have changed. */
  isWanted(): boolean;
  /** Told, once or twice, when it cannot be read from its beginning here any more: it is in the store, or nowhere. */
  onGone(): void;
}

/** Takes a result in: its bytes go to the store while they go to who waits. */
export async function storeResponse(result: RenderResult, parts: SharedResponseParts, unwanted: AbortSignal): Promise<SharedResponse> {
  const { body } = result.output;
  return Buffer.isBuffer(body) ? await storeBuffer(result, body, parts) : await storeStream({ result, body }, parts, unwanted);
}

async function storeBuffer(result: RenderResult, body: Buffer, parts: SharedResponseParts): Promise<SharedResponse> {
  const whole =
    isStorable(result) && body.length < parts.maxBytes
      ? toRecord(result, parts.key, { bytes: body.length, sha256: await digestOf(body) })
      : undefined;
  const record = whole !== undefined && sizeOfEntry(whole) <= parts.maxBytes ? whole : undefined;
  const keep = () => (record === undefined ? Promise.resolve(false) : parts.store.put(record, body, parts.isWanted));
  const isKept = record !== undefined && parts.store.isWritable && parts.isWanted();
  return { result, isKept, record: () => record, isDone: () => true, open: () => body, settled: settle(parts, keep) };
}

interface Streamed {
  readonly result: RenderResult;
  readonly body: Readable;
}

async function storeStream({ result, body }: Streamed, parts: SharedResponseParts, unwanted: AbortSignal): Promise<SharedResponse> {
  const { store, maxBytes, log } = parts;
  // It may fail before it is read; its readers are told.
  body.on('error', () => undefined);
  const part = await store.begin().catch((error: unknown) => {
    log.warn({ err: error }, 'a result cannot be kept: there is no file for it');
    return undefined;
  });
  const growing = new AppendOnlyBody({
    handle: part?.handle,
    maxBytes,
    onSpilled(error) {
      if (part !== undefined) log.warn({ err: error }, 'a result cannot be kept: it is passed on only');
      parts.onGone();
    },
  });
  const { length } = result.output;
  const least = { bytes: length ?? 0, sha256: '0'.repeat(64) };
  const isKept =
    part !== undefined && parts.isWanted() && isStorable(result) && sizeOfEntry(toRecord(result, parts.key, least)) <= maxBytes;
  let record: EntryRecord | undefined;
  const fill = async () => {
    // What it fails with is told to its readers.
    await growing.fill(body, unwanted).catch(() => undefined);
    const { whole } = growing;
    // One that says how long it is, and ends before, is not whole.
    if (!isKept || whole === undefined || (length !== undefined && length !== whole.bytes)) return false;
    record = toRecord(result, parts.key, whole);
    return await store.commit(part, record, parts.isWanted);
  };
  const settled = settle(parts, fill).then(async () => {
    if (part !== undefined) await store.discard(part);
    await growing.close();
  });
  return { result, isKept, record: () => record, isDone: () => growing.hasEnded, open: (left) => growing.read(left), settled };
}

/** A result that cannot be kept is a result all the same. */
async function settle({ log, onGone }: SharedResponseParts, keep: () => Promise<boolean>): Promise<void> {
  try {
    await keep();
  } catch (error) {
    log.warn({ err: error }, 'a result was not kept');
  }
  onGone();
}

function toRecord(
  { output: { contentType, extension, filename }, headers, assets }: RenderResult,
  key: string,
  whole: Pick<EntryRecord, 'bytes' | 'sha256'>,
): EntryRecord {
  return {
    key,
    ...whole,
    contentType,
    extension,
    ...(filename === undefined ? {} : { filename }),
    headers,
    assets: assets.kept.map(({ id }) => id),
    storedAt: Date.now(),
  };
}
