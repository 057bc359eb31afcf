import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Logger } from '@platen/kernel';
import { openUnnamed, verifyBody } from '@platen/lib-spool';
import type { ResultPart, ResultRecord, ResultStore, ResultStoreOptions, StoredResult } from '@platen/server';
import { S3Error, type OpenObject, type S3Client } from './client.js';
import { listObjects, removeObject, removeObjects, sha256Of, sizeOf, type ListedObject } from './objects.js';
import { startSweeping } from './sweep.js';
import { upload } from './upload.js';

export interface S3ResultStoreOptions extends ResultStoreOptions {
  readonly client: S3Client;
  /** Start of the keys. */
  readonly prefix: string;
  readonly log: Logger;
}

/** Bodies up to this size are verified before they are sent. */
const SMALL_BYTES = 1024 ** 2;
/** Longer than any record. */
const MAX_HEAD_BYTES = 64 * 1024;
/** A render does not wait longer for its cached result: it starts. */
const FIND_MS = 5_000;
const UPLOAD_MS = 10 * 60_000;
const SWEEP_MS = 5 * 60_000;
const NEWLINE = 0x0a;

/**
 * Stores each result as one object: its record as a line of JSON, then its body. One object appears and is replaced in one step, and one
 * request reads it.
 */
export class S3ResultStore implements ResultStore {
  readonly #options: S3ResultStoreOptions;
  /** Bytes of each object by key: as listed last, and written or removed since. */
  #entries = new Map<string, number>();
  #isWritable = true;
  readonly #sweeping;

  constructor(options: S3ResultStoreOptions) {
    this.#options = options;
    this.#sweeping = startSweeping((signal) => this.sweep(signal), options.log, SWEEP_MS);
  }

  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  get isWritable(): boolean {
    return this.#isWritable;
  }

  async start(): Promise<void> {
    await this.#sweeping.begin();
  }

  async close(): Promise<void> {
    await this.#sweeping.end();
  }

  async find(key: string): Promise<StoredResult | undefined> {
    const object = await this.#options.client.open(this.#keyOf(key), { timeoutMs: FIND_MS });
    if (object === undefined) {
      this.#entries.delete(key);
      return undefined;
    }
    const late = setTimeout(
      () => object.body.destroy(new S3Error(`the service did not send a record within ${String(FIND_MS)} ms`)),
      FIND_MS,
    );
    try {
      const found = await readResult(object, key, { onDamaged: () => this.#dropDamaged(key) });
      if (found === undefined) await this.#dropDamaged(key);
      return found;
    } catch (error) {
      object.body.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** The body is written to a private file first: its readers do not wait for the service, and its digest precedes it in the object. */
  async begin(): Promise<ResultPart> {
    const { handle, remove } = await openUnnamed({ purpose: 'cache', reachable: false });
    return {
      handle,
      commit: (record, isWanted) => {
        const body = record.bytes === 0 ? [] : handle.createReadStream({ start: 0, end: record.bytes - 1, autoClose: false });
        return this.#store(record, body, isWanted);
      },
      discard: () => remove().catch(() => undefined),
    };
  }

  put(record: ResultRecord, body: Buffer, isWanted: () => boolean): Promise<boolean> {
    return this.#store(record, [body], isWanted);
  }

  async remove(key: string): Promise<boolean> {
    const { client } = this.#options;
    const size = await sizeOf(client, this.#keyOf(key));
    if (size !== undefined) await removeObject(client, this.#keyOf(key));
    this.#entries.delete(key);
    return size !== undefined;
  }

  async clear(): Promise<boolean> {
    const found = await this.#list();
    await this.#removeAll(found);
    return found.length > 0;
  }

  /** Removes expired results, and the oldest beyond the limit. */
  async sweep(signal?: AbortSignal): Promise<void> {
    const { ttlMs, maxBytes } = this.#options;
    const found = await this.#list(signal);
    this.#entries = new Map(found.map(({ key, bytes }) => [this.#nameOf(key), bytes]));
    const youngest = found.sort((a, b) => b.modifiedAt - a.modifiedAt);
    let total = 0;
    const due = youngest.filter(({ modifiedAt, bytes }) => {
      total += bytes;
      return total > maxBytes || modifiedAt + ttlMs <= Date.now();
    });
    await this.#removeAll(due);
  }

  /** `isWanted` may change during the upload: then the result is removed again. */
  async #store(record: ResultRecord, body: Iterable<Buffer> | AsyncIterable<Buffer>, isWanted: () => boolean): Promise<boolean> {
    const { client, maxBytes } = this.#options;
    const head = Buffer.from(`${JSON.stringify(record)}\n`);
    const size = head.length + record.bytes;
    if (size > maxBytes || head.length > MAX_HEAD_BYTES || !isWanted()) return false;
    const source = Readable.from(withHead(head, body), { objectMode: false });
    try {
      await upload(client, this.#keyOf(record.key), { source, signal: AbortSignal.timeout(UPLOAD_MS) });
      this.#isWritable = true;
    } catch (error) {
      this.#isWritable = false;
      throw error;
    }
    this.#entries.set(record.key, size);
    if (isWanted()) return true;
    await this.remove(record.key);
    return false;
  }

  async #dropDamaged(key: string): Promise<void> {
    this.#options.log.warn({ entry: key }, 'a corrupt cache entry was deleted');
    await this.remove(key).catch(() => false);
  }

  async #list(signal?: AbortSignal): Promise<ListedObject[]> {
    const found: ListedObject[] = [];
    for await (const object of listObjects(this.#options.client, this.#options.prefix, signal)) found.push(object);
    return found;
  }

  async #removeAll(objects: readonly ListedObject[]): Promise<void> {
    await removeObjects(
      this.#options.client,
      objects.map(({ key }) => key),
    );
    for (const { key } of objects) this.#entries.delete(this.#nameOf(key));
  }

  #keyOf(key: string): string {
    return this.#options.prefix + key;
  }

  #nameOf(key: string): string {
    return key.slice(this.#options.prefix.length);
  }
}

async function* withHead(head: Buffer, body: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* body;
}

/** Undefined if the object is not a valid result of the key. */
async function readResult(
  { bytes, body }: OpenObject,
  key: string,
  { onDamaged }: { onDamaged(): Promise<void> },
): Promise<StoredResult | undefined> {
  const head = await readLine(body);
  const record = head === undefined ? undefined : parseRecord(head, key);
  if (head === undefined || record === undefined || head.length + 1 + record.bytes !== bytes) {
    body.destroy();
    return undefined;
  }
  if (record.bytes > SMALL_BYTES) {
    const verified = verifyBody(body, record, onDamaged);
    const close = () => {
      verified.destroy();
      return Promise.resolve();
    };
    return { record, open: () => verified, close };
  }
  const whole = await buffer(body);
  if (whole.length !== record.bytes || sha256Of(whole) !== record.sha256) return undefined;
  return { record, open: () => whole, close: () => Promise.resolve() };
}

/** The first line, without its end; the rest remains in the stream. Undefined if there is none. */
async function readLine(body: Readable): Promise<Buffer | undefined> {
  let read = Buffer.alloc(0);
  while (read.length <= MAX_HEAD_BYTES) {
    // The stream has no encoding and is not of objects.
    const chunk = body.read() as Buffer | null;
    if (chunk === null) {
      if (body.readableEnded || body.destroyed) return undefined;
      await Promise.race([once(body, 'readable'), once(body, 'end')]);
      continue;
    }
    read = Buffer.concat([read, chunk]);
    const at = read.indexOf(NEWLINE);
    if (at === -1) continue;
    body.unshift(read.subarray(at + 1));
    return read.subarray(0, at);
  }
  return undefined;
}

function parseRecord(line: Buffer, key: string): ResultRecord | undefined {
  try {
    // Written by this module.
    const record = JSON.parse(line.toString()) as ResultRecord;
    return record.key === key ? record : undefined;
  } catch {
    return undefined;
  }
}
