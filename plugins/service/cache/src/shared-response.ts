import type { Readable } from 'node:stream';
import type { Logger, RenderResult } from '@platen/kernel';
import type { ResultRecord, ResultStore } from '@platen/server';
import { isStorable } from './cacheable.js';
import { digestOf } from './digest.js';
import { sizeOfEntry } from './entry-file.js';
import { AppendOnlyBody } from './append-only-body.js';

/** The result of a render, for all waiting clients. */
export interface SharedResponse {
  readonly result: RenderResult;
  /** Whether it is being stored and no failure is expected. Clients do not wait for the disk. */
  readonly isKept: boolean;
  /** Its metadata, once it is complete and if it is stored. */
  record(): ResultRecord | undefined;
  /** Whether the render has finished and no longer depends on a connected client. */
  isDone(): boolean;
  /** The body from its start, until `left` aborts. */
  open(left: AbortSignal): Buffer | Readable;
  /** Resolves once it is stored or storing has failed. Never rejects. */
  readonly settled: Promise<void>;
}

export interface SharedResponseParts {
  readonly store: ResultStore;
  readonly log: Logger;
  readonly maxBytes: number;
  readonly key: string;
  /** Checked before the entry becomes visible: it may have been purged or replaced, or the configuration may have changed. */
  isWanted(): boolean;
  /** Called once or twice when the body can no longer be read from its start here: it is stored, or lost. */
  onGone(): void;
}

/** Stores a result while sending it to the waiting clients. */
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
  // The source may fail before it is read; the readers get the error.
  body.on('error', () => undefined);
  const part = await store.begin().catch((error: unknown) => {
    log.warn({ err: error }, 'a result cannot be cached: no file could be created');
    return undefined;
  });
  const growing = new AppendOnlyBody({
    handle: part?.handle,
    maxBytes,
    onSpilled(error) {
      if (part !== undefined) log.warn({ err: error }, 'a result cannot be cached: it is only sent to its clients');
      parts.onGone();
    },
  });
  const { length } = result.output;
  const least = { bytes: length ?? 0, sha256: '0'.repeat(64) };
  const isKept =
    part !== undefined && parts.isWanted() && isStorable(result) && sizeOfEntry(toRecord(result, parts.key, least)) <= maxBytes;
  let record: ResultRecord | undefined;
  const fill = async () => {
    // The readers get the error.
    await growing.fill(body, unwanted).catch(() => undefined);
    const { whole } = growing;
    // A body shorter than its announced length is incomplete.
    if (!isKept || whole === undefined || (length !== undefined && length !== whole.bytes)) return false;
    record = toRecord(result, parts.key, whole);
    return await part.commit(record, parts.isWanted);
  };
  const settled = settle(parts, fill).then(async () => {
    await part?.discard();
    await growing.close();
  });
  return { result, isKept, record: () => record, isDone: () => growing.hasEnded, open: (left) => growing.read(left), settled };
}

/** A result that cannot be stored is still served. */
async function settle({ log, onGone }: SharedResponseParts, keep: () => Promise<boolean>): Promise<void> {
  try {
    await keep();
  } catch (error) {
    log.warn({ err: error }, 'a result was not cached');
  }
  onGone();
}

function toRecord(
  { output: { contentType, extension, filename }, headers, assets }: RenderResult,
  key: string,
  whole: Pick<ResultRecord, 'bytes' | 'sha256'>,
): ResultRecord {
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
