import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openPrivateFolder, partialPath, type Logger } from '@platen/kernel';
import { verifyBody } from '@platen/lib-spool';
import type { ResultPart, ResultRecord, ResultStore, ResultStoreOptions, StoredResult } from '@platen/server';
import { LRUCache } from 'lru-cache';
import { digestOf } from './digest.js';
import { encodeTrailer, readAt, readRecord, writeAt } from './entry-file.js';
import { readFolder } from './folder-contents.js';
import { isFresh } from './freshness.js';

export interface EntryStoreOptions extends ResultStoreOptions {
  /** Directory that only servers of this user write to; several servers can share it. */
  readonly folder: string;
  readonly log: Logger;
}

/** The file of an entry that is being written. */
interface PartFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/** Bodies up to this size are verified before they are sent, and may be cached in memory. */
const SMALL_BYTES = 1024 ** 2;
const BLOCK_BYTES = 256 * 1024;
const MEMORY_BYTES = 64 * 1024 ** 2;
/** Interval for removing expired entries and detecting changes by other servers. */
const SWEEP_MS = 5 * 60_000;

/** The state of a file when its body was verified. */
interface VerifiedFile {
  readonly record: ResultRecord;
  readonly body: Buffer;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Stores results as files, one per entry, written atomically. Evicts the oldest entries beyond the size limit. */
export class EntryStore implements ResultStore {
  readonly #options: EntryStoreOptions;
  /** Bytes of each entry's file, oldest first. */
  readonly #entries = new Map<string, number>();
  readonly #memory = new LRUCache<string, VerifiedFile>({ maxSize: MEMORY_BYTES, sizeCalculation: ({ size }) => size });
  #total = 0;
  /** Serializes changes of the directory. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isWritable = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EntryStoreOptions) {
    this.#options = options;
  }

  /** Number of entries. */
  get entries(): number {
    return this.#entries.size;
  }

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#total;
  }

  /** Reads the directory, and sweeps it periodically from then on. */
  async start(): Promise<void> {
    await this.sweep();
    const sweep = () => {
      this.sweep().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'the cache directory could not be swept');
      });
    };
    this.#timer = setInterval(sweep, Math.min(SWEEP_MS, Math.max(1_000, this.#options.ttlMs))).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastTurn;
  }

  /** Finds an entry; its body is verified, or will be while it is sent. Deletes corrupt entries. */
  async find(key: string): Promise<StoredResult | undefined> {
    const path = this.#pathOf(key);
    const file = await stat(path).catch(() => undefined);
    const seen = this.#memory.get(key);
    if (file === undefined) {
      this.#forget(key);
      return undefined;
    }
    const isSame = seen?.ino === file.ino && seen.size === file.size && seen.mtimeMs === file.mtimeMs;
    return isSame ? held(seen) : await this.#read(key);
  }

  /** Whether the last write succeeded. After a failure (disk full) the next one is expected to fail too. */
  get isWritable(): boolean {
    return this.#isWritable;
  }

  /** Creates the file of a new entry. Recreates the directory if it was removed. */
  async begin(): Promise<ResultPart> {
    const file = await this.#create();
    return {
      handle: file.handle,
      commit: (record, isWanted) => this.#commit(file, record, isWanted),
      discard: () => discard(file),
    };
  }

  async #create(): Promise<PartFile> {
    const path = partialPath(join(this.#options.folder, randomUUID()));
    const create = () => open(path, 'wx+', 0o600);
    const createAnew = () => openPrivateFolder(this.#options.folder).then(create);
    return { path, handle: await this.#attempt(() => create().catch(createAnew)) };
  }

  /**
   * Turns a part that contains the body into an entry. Resolves with false if it is too large or no longer wanted; `isWanted` is
   * called while no other change is in progress. Removes the part in any case.
   */
  async #commit(part: PartFile, record: ResultRecord, isWanted: () => boolean): Promise<boolean> {
    try {
      const trailer = encodeTrailer(record);
      const size = record.bytes + trailer.length;
      if (size > this.#options.maxBytes) return false;
      return await this.#attempt(async () => {
        await writeAt(part.handle, trailer, record.bytes);
        await part.handle.sync();
        return await this.#turn(async () => {
          if (!isWanted()) return false;
          await this.#makeRoom(size, record.key);
          await rename(part.path, this.#pathOf(record.key));
          this.#forget(record.key);
          this.#note(record.key, size);
          this.#isWritable = true;
          return true;
        });
      });
    } finally {
      await discard(part);
    }
  }

  /** Stores a body from memory. */
  async put(record: ResultRecord, body: Buffer, isWanted: () => boolean): Promise<boolean> {
    const part = await this.#create();
    try {
      await this.#attempt(() => writeAt(part.handle, body, 0));
      const { ino } = await part.handle.stat();
      const isKept = await this.#commit(part, record, isWanted);
      const { size, mtimeMs } = await part.handle.stat();
      if (isKept && body.length <= SMALL_BYTES) this.#memory.set(record.key, { record, body, ino, size, mtimeMs });
      return isKept;
    } finally {
      await discard(part);
      await part.handle.close();
    }
  }

  /** Resolves with whether the entry existed. */
  async remove(key: string): Promise<boolean> {
    return await this.#turn(() => this.#unlink(key));
  }

  /** Resolves with whether any entry existed. */
  async clear(): Promise<boolean> {
    return await this.#turn(async () => {
      const { entries } = await readFolder(this.#options.folder, Date.now());
      let wasAny = false;
      for (const { key } of entries) wasAny = (await this.#unlink(key)) || wasAny;
      return wasAny;
    });
  }

  /** Reads the directory, including entries of other servers. Removes expired, excess and abandoned files. */
  async sweep(): Promise<void> {
    await this.#turn(async () => {
      const { entries, abandoned } = await readFolder(this.#options.folder, Date.now());
      for (const path of abandoned) await rm(path, { force: true });
      this.#entries.clear();
      this.#total = 0;
      for (const { key, bytes } of entries) this.#note(key, bytes);
      for (const { key, storedAt } of entries) if (!isFresh({ storedAt }, this.#options.ttlMs)) await this.#unlink(key);
      await this.#makeRoom(0);
    });
  }

  async #read(key: string): Promise<StoredResult | undefined> {
    const handle = await open(this.#pathOf(key), 'r').catch(() => undefined);
    if (handle === undefined) return undefined;
    let isHandedOver = false;
    try {
      const { ino, size, mtimeMs } = await handle.stat();
      const drop = () => this.#dropDamaged(key, ino);
      const record = await readRecord(handle, size, key);
      if (record === undefined) {
        await drop();
        return undefined;
      }
      this.#note(key, size);
      if (record.bytes > SMALL_BYTES) {
        isHandedOver = true;
        return { record, open: () => verifyBody(readBody(handle, record), record, drop), close: () => handle.close() };
      }
      const body = await readAt(handle, 0, record.bytes);
      if ((await digestOf(body)) !== record.sha256) {
        await drop();
        return undefined;
      }
      const seen: VerifiedFile = { record, body, ino, size, mtimeMs };
      this.#memory.set(key, seen);
      return held(seen);
    } finally {
      if (!isHandedOver) await handle.close();
    }
  }

  /** Deletes the entry unless it was replaced meanwhile. */
  async #dropDamaged(key: string, ino: number): Promise<void> {
    this.#options.log.warn({ entry: key }, 'a corrupt cache entry was deleted');
    await this.#turn(async () => {
      const file = await stat(this.#pathOf(key)).catch(() => undefined);
      if (file?.ino === ino) await this.#unlink(key);
    });
  }

  /** Evicts the oldest entries first. An entry that is about to be replaced is not counted. */
  async #makeRoom(size: number, replaced?: string): Promise<void> {
    const rest = () => this.#total - (replaced === undefined ? 0 : (this.#entries.get(replaced) ?? 0));
    for (const key of this.#entries.keys()) {
      if (rest() + size <= this.#options.maxBytes) return;
      if (key !== replaced) await this.#unlink(key);
    }
  }

  async #unlink(key: string): Promise<boolean> {
    this.#forget(key);
    return await rm(this.#pathOf(key)).then(
      () => true,
      () => false,
    );
  }

  /** A known entry of the same size keeps its position. */
  #note(key: string, size: number): void {
    if (this.#entries.get(key) === size) return;
    this.#total += size - (this.#entries.get(key) ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, size);
  }

  #forget(key: string): void {
    this.#total -= this.#entries.get(key) ?? 0;
    this.#entries.delete(key);
    this.#memory.delete(key);
  }

  async #attempt<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      this.#isWritable = false;
      throw error;
    }
  }

  #pathOf(key: string): string {
    return join(this.#options.folder, key);
  }

  #turn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}

/** Closes the handle with the stream. */
function readBody(handle: FileHandle, { bytes }: ResultRecord): Readable {
  return handle.createReadStream({ start: 0, end: bytes - 1, highWaterMark: BLOCK_BYTES });
}

/** Removes the file of a part. Its handle stays open for current readers. */
async function discard({ path }: PartFile): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

function held({ record, body }: VerifiedFile): StoredResult {
  return { record, open: () => body, close: () => Promise.resolve() };
}
