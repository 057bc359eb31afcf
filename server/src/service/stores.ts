import type { Readable } from 'node:stream';
import type { AssetStore } from '@platen/kernel';

/** The store of a server's additional assets. Several servers may share one. */
export interface ServerAssetStore extends AssetStore {
  /** Removes expired assets and leftovers, once the server listens. */
  sweep(): Promise<void>;
  close(): void | Promise<void>;
}

export interface AssetStoreOptions {
  /** From an asset's latest publication on. */
  readonly lifetimeSeconds: number;
}

/** Metadata of a cached result. */
export interface ResultRecord {
  /** 64 hexadecimal digits. */
  readonly key: string;
  /** Size of the body in bytes. */
  readonly bytes: number;
  /** SHA-256 of the body in hex. */
  readonly sha256: string;
  readonly contentType: string;
  readonly extension: string;
  readonly filename?: string;
  /** Headers set by the render. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ids of its additional assets. */
  readonly assets: readonly string[];
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** A cached result, expired or not. Call `close` unless the body is opened. */
export interface StoredResult {
  readonly record: ResultRecord;
  /** The body. A stream fails before its end if the body does not match the record. */
  open(): Buffer | Readable;
  close(): Promise<void>;
}

/** The methods of an open file that bodies need. */
export interface BodyHandle {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

/** A result that is being written. Its creator closes the handle. */
export interface ResultPart {
  readonly handle: BodyHandle;
  /**
   * Stores the body that was written as the result of the record's key. Resolves with false if it is too large or no longer wanted.
   * Nothing else remains of the part; the handle stays open for its readers.
   */
  commit(record: ResultRecord, isWanted: () => boolean): Promise<boolean>;
  /** Removes the part unless it is committed. Never rejects. */
  discard(): Promise<void>;
}

/** Stores the results of a cache by key. A result is found complete or not at all, also if servers share the store. */
export interface ResultStore {
  /** Number and bytes of the results, as far as known to this server. */
  readonly entries: number;
  readonly bytes: number;
  /** Whether the last write succeeded. After a failure the next one is expected to fail too. */
  readonly isWritable: boolean;
  /** Deletes a corrupt result. */
  find(key: string): Promise<StoredResult | undefined>;
  begin(): Promise<ResultPart>;
  /** Stores a body from memory, as `commit` does. */
  put(record: ResultRecord, body: Buffer, isWanted: () => boolean): Promise<boolean>;
  /** Resolves with whether the result existed. */
  remove(key: string): Promise<boolean>;
  /** Resolves with whether any result existed. */
  clear(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ResultStoreOptions {
  /** Maximum bytes of all results; the oldest are evicted first. */
  readonly maxBytes: number;
  /** Results that are older are expired and may be removed. */
  readonly ttlMs: number;
}
