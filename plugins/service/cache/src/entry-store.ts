import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { openPrivateFolder, partialPath, type Logger } from '@platen/kernel';
import { LRUCache } from 'lru-cache';
import { digestOf } from './digest.js';
import { encodeTrailer, readAt, readRecord, writeAt, type EntryRecord } from './entry-file.js';
import { readFolder } from './folder-contents.js';
import { openVerified } from './verified-body.js';

export interface EntryStoreOptions {
  /** Nobody but this user's servers write there; several may share it. */
  readonly folder: string;
  /** Of all entries together, bodies and records. */
  readonly maxBytes: number;
  readonly ttlMs: number;
  readonly log: Logger;
}

/** An entry that is being written. */
export interface Part {
  readonly path: string;
  readonly handle: FileHandle;
}

/** A kept result; `close` where its body is not opened. */
export interface StoredEntry {
  readonly record: EntryRecord;
  open(): Buffer | Readable;
  close(): Promise<void>;
}

/** Bodies up to this size are checked before they are sent, and may stay in memory. */
const SMALL_BYTES = 1024 ** 2;
const MEMORY_BYTES = 64 * 1024 ** 2;
/** How often the folder is looked through for what is due, and for what others have added or removed. */
const SWEEP_MS = 5 * 60_000;
/** A clock that was set back must not make an entry last. */
const CLOCK_SLACK_MS = 60_000;

/** A file as it was when its bytes were found right. */
interface Seen {
  readonly record: EntryRecord;
  readonly body: Buffer;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Results as files, one each, that appear whole or not at all; the oldest go when there are too many bytes. */
export class EntryStore {
  readonly #options: EntryStoreOptions;
  /** Bytes of each entry's file, oldest first. */
  readonly #entries = new Map<string, number>();
  readonly #memory = new LRUCache<string, Seen>({ maxSize: MEMORY_BYTES, sizeCalculation: ({ size }) => size });
  #total = 0;
  /** Changes of the folder come one after another. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isWritable = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: EntryStoreOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get entries(): number {
    return this.#entries.size;
  }

  /** Bytes of all entries. */
  get bytes(): number {
    return this.#total;
  }

  /** Looks at what is there, and from now on now and again. */
  async start(): Promise<void> {
    await this.sweep();
    const sweep = () => {
      this.sweep().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'kept results could not be swept');
      });
    };
    this.#timer = setInterval(sweep, Math.min(SWEEP_MS, Math.max(1_000, this.#options.ttlMs))).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lastTurn;
  }

  isFresh(storedAt: number, now = Date.now()): boolean {
    return now - storedAt < this.#options.ttlMs && storedAt - now < CLOCK_SLACK_MS;
  }

  /** A whole entry that is fresh, its body checked or about to be. One that is damaged is dropped. */
  async find(key: string): Promise<StoredEntry | 'stale' | undefined> {
    const path = this.#pathOf(key);
    const file = await stat(path).catch(() => undefined);
    const seen = this.#memory.get(key);
    if (file === undefined) {
      this.#forget(key);
      return undefined;
    }
    const isSame = seen?.ino === file.ino && seen.size === file.size && seen.mtimeMs === file.mtimeMs;
    if (!isSame) return await this.#read(key);
    return this.isFresh(seen.record.storedAt) ? held(seen) : 'stale';
  }

  /** Whether the last entry could be written: a full disk says something of the next one too. */
  get isWritable(): boolean {
    return this.#isWritable;
  }

  /** A file for an entry in the making; the folder is made again where somebody has removed it. */
  async begin(): Promise<Part> {
    const path = partialPath(join(this.#options.folder, randomUUID()));
    const create = () => open(path, 'wx+', 0o600);
    const createAnew = () => openPrivateFolder(this.#options.folder).then(create);
    return { path, handle: await this.#attempt(() => create().catch(createAnew)) };
  }

  /**
   * Makes an entry of a part that holds the record's body. False where it is too large, or is wanted no longer: that is asked in the
   * moment in which nothing else changes. Whatever comes of it, the part is gone.
   */
  async commit(part: Part, record: EntryRecord, isWanted: () => boolean): Promise<boolean> {
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
      await this.discard(part);
    }
  }

  /** The same, with the body in memory. */
  async put(record: EntryRecord, body: Buffer, isWanted: () => boolean): Promise<boolean> {
    const part = await this.begin();
    try {
      await this.#attempt(() => writeAt(part.handle, body, 0));
      const { ino } = await part.handle.stat();
      const isKept = await this.commit(part, record, isWanted);
      const { size, mtimeMs } = await part.handle.stat();
      if (isKept && body.length <= SMALL_BYTES) this.#memory.set(record.key, { record, body, ino, size, mtimeMs });
      return isKept;
    } finally {
      await this.discard(part);
      await part.handle.close();
    }
  }

  /** Removes what is left of a part; its handle stays open for who reads it. */
  async discard({ path }: Part): Promise<void> {
    await rm(path, { force: true }).catch(() => undefined);
  }

  /** Whether there was one. */
  async remove(key: string): Promise<boolean> {
    return await this.#turn(() => this.#unlink(key));
  }

  /** Whether there was any. */
  async clear(): Promise<boolean> {
    return await this.#turn(async () => {
      const { entries } = await readFolder(this.#options.folder, Date.now());
      let wasAny = false;
      for (const { key } of entries) wasAny = (await this.#unlink(key)) || wasAny;
      return wasAny;
    });
  }

  /** Takes the folder as it is: what other servers have added counts too; what is due, too much or abandoned goes. */
  async sweep(): Promise<void> {
    await this.#turn(async () => {
      const { entries, abandoned } = await readFolder(this.#options.folder, Date.now());
      for (const path of abandoned) await rm(path, { force: true });
      this.#entries.clear();
      this.#total = 0;
      for (const { key, bytes } of entries) this.#note(key, bytes);
      for (const { key, storedAt } of entries) if (!this.isFresh(storedAt)) await this.#unlink(key);
      await this.#makeRoom(0);
    });
  }

  async #read(key: string): Promise<StoredEntry | 'stale' | undefined> {
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
      if (!this.isFresh(record.storedAt)) return 'stale';
      this.#note(key, size);
      if (record.bytes > SMALL_BYTES) {
        isHandedOver = true;
        return { record, open: () => openVerified(handle, record, drop), close: () => handle.close() };
      }
      const body = await readAt(handle, 0, record.bytes);
      if ((await digestOf(body)) !== record.sha256) {
        await drop();
        return undefined;
      }
      const seen: Seen = { record, body, ino, size, mtimeMs };
      this.#memory.set(key, seen);
      return held(seen);
    } finally {
      if (!isHandedOver) await handle.close();
    }
  }

  /** Unless another has taken its place meanwhile. */
  async #dropDamaged(key: string, ino: number): Promise<void> {
    this.#options.log.warn({ entry: key }, 'a kept result was damaged: it is dropped');
    await this.#turn(async () => {
      const file = await stat(this.#pathOf(key)).catch(() => undefined);
      if (file?.ino === ino) await this.#unlink(key);
    });
  }

  /** Oldest first. An entry that is about to be replaced counts no more. */
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

  /** An entry that is known already, and is the same size, keeps its place. */
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

function held({ record, body }: Seen): StoredEntry {
  return { record, open: () => body, close: () => Promise.resolve() };
}
