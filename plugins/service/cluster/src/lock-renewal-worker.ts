import { BroadcastChannel } from 'node:worker_threads';
import { Worker } from 'bullmq';
import { openBlocking, PREFIX } from './queue.js';

/** The jobs whose locks are to be renewed, with their tokens. */
export type Locks = Readonly<Record<string, string>>;

export interface RenewalInput {
  readonly url: string;
  readonly name: string;
  readonly lockMs: number;
  /** Name of the BroadcastChannel on which `Locks` arrive: all of them, after each change and after the thread has asked for them. */
  readonly channel: string;
}

/** Renewals per lifetime of a lock: two may fail. */
const RENEWALS = 3;

/** Renews locks until its thread is ended. In a thread: a busy event loop of the server loses none. */
async function renewLocks({ url, name, lockMs, channel: channelName }: RenewalInput): Promise<never> {
  let locks: Locks = {};
  const { connection } = openBlocking(url);
  const worker = new Worker(name, null, { connection, prefix: PREFIX, autorun: false, skipLockRenewal: true, skipStalledCheck: true });
  worker.on('error', () => undefined);
  setInterval(() => {
    const ids = Object.keys(locks);
    // Of a job that has ended meanwhile, or that another worker has, nothing is renewed: the token decides.
    if (ids.length > 0) worker.extendJobLocks(ids, Object.values(locks), lockMs).catch(() => undefined);
  }, lockMs / RENEWALS);
  const channel = new BroadcastChannel(channelName);
  return await new Promise<never>(() => {
    channel.onmessage = ({ data }: { data: Locks }) => {
      locks = data;
    };
    channel.postMessage('ready');
  });
}

export { renewLocks as default };
