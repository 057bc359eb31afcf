import type { Logger } from '@platen/kernel';
import type { S3Client } from './client.js';
import { listObjects, removeObject, type ListedObject } from './objects.js';

/** How long an expired link is recognized as expired, and an asset may wait for its publication. */
const REMEMBERED_MS = 24 * 3600 * 1000;
/** For clocks of servers and of the service that differ. */
const SLACK_MS = 5 * 60_000;
const SWEEP_MS = 3600 * 1000;

export interface Sweeping {
  /** Sweeps in the background, now and every hour: a large bucket does not delay the start. */
  begin(): Promise<void>;
  /** Resolves once the last sweep has stopped. */
  end(): Promise<void>;
}

/** Repeats a sweep. One that fails is logged. */
export function startSweeping(sweep: (signal: AbortSignal) => Promise<void>, log: Logger, intervalMs = SWEEP_MS): Sweeping {
  const closing = new AbortController();
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    running = running
      .then(() => sweep(closing.signal))
      .catch((error: unknown) => {
        if (!closing.signal.aborted) log.warn({ err: error }, 'the bucket of --s3-store-bucket could not be swept');
      });
  };
  return {
    begin() {
      run();
      timer = setInterval(run, intervalMs).unref();
      return Promise.resolve();
    },
    async end() {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}

export interface SweepOptions {
  readonly prefix: string;
  readonly lifetimeSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Removes expired assets, and bytes that were never published. A record is written anew whenever the lifetime is extended, so that its date
 * shows when the asset expires.
 */
export async function sweepAssets(client: S3Client, { prefix, lifetimeSeconds, signal }: SweepOptions): Promise<void> {
  const lifetimeMs = lifetimeSeconds * 1000 + SLACK_MS;
  const removeIfDue = async (object: ListedObject, maxAgeMs: number) => {
    if (object.modifiedAt + maxAgeMs <= Date.now()) await removeObject(client, object.key);
  };
  let bytes: ListedObject | undefined;
  // Keys come in order: the record of an asset follows its bytes.
  for await (const object of listObjects(client, prefix, signal)) {
    if (!object.key.endsWith('.json')) {
      if (bytes !== undefined) await removeIfDue(bytes, REMEMBERED_MS);
      bytes = object;
      continue;
    }
    if (bytes !== undefined && object.key === `${bytes.key}.json`) {
      if (object.modifiedAt + lifetimeMs <= Date.now()) await removeObject(client, bytes.key);
    } else if (bytes !== undefined) await removeIfDue(bytes, REMEMBERED_MS);
    bytes = undefined;
    await removeIfDue(object, lifetimeMs + REMEMBERED_MS);
  }
  if (bytes !== undefined) await removeIfDue(bytes, REMEMBERED_MS);
}
