import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { Logger } from '@platen/kernel';
import { createWorkerPool } from '@platen/lib-worker';
import type { RenewalInput } from './lock-renewal-worker.js';

const RESTART_MS = 1_000;

export type LockRenewalOptions = Pick<RenewalInput, 'url' | 'name' | 'lockMs'> & { readonly log: Logger };

/** Keeps the locks of running jobs. */
export interface LockRenewal {
  /** Resolves when the thread runs: a job that began earlier could lose its lock. */
  readonly ready: Promise<void>;
  add(id: string, token: string): void;
  delete(id: string): void;
  close(): Promise<void>;
}

/** A thread does the work, so that a long task of the event loop loses no job to another worker. */
export function startLockRenewal({ log, ...options }: LockRenewalOptions): LockRenewal {
  const pool = createWorkerPool<RenewalInput, never>(new URL('./lock-renewal-worker.js', import.meta.url), { idleMs: 0, size: 1 });
  const channel = new BroadcastChannel(`platen-locks-${randomUUID()}`);
  const locks = new Map<string, string>();
  const closing = new AbortController();
  const { signal } = closing;
  const isClosed = () => signal.aborted;
  const run = async (): Promise<void> => {
    await pool.run({ ...options, channel: channel.name }, { signal }).catch(async (error: unknown) => {
      if (isClosed()) return;
      log.error({ err: error }, 'the thread that renews the locks of jobs has ended: it starts again');
      await delay(RESTART_MS, undefined, { ref: false });
      if (!isClosed()) await run();
    });
  };
  const tell = () => {
    channel.postMessage(Object.fromEntries(locks));
  };
  const ready = new Promise<void>((resolve) => {
    channel.onmessage = () => {
      tell();
      resolve();
    };
  });
  channel.unref();
  void run();
  return {
    ready,
    add(id, token) {
      locks.set(id, token);
      tell();
    },
    delete(id) {
      locks.delete(id);
      tell();
    },
    async close() {
      closing.abort();
      channel.close();
      await pool.close();
    },
  };
}
