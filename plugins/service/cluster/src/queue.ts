import { type Logger, PlatenError, withTimeout } from '@platen/kernel';
import { Queue } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { adviseOn, describeCause, hostOf, queueDown } from './queue-errors.js';

/** How long the queue may take to reply, in milliseconds: the request that waits for it fails after that. */
const REPLY_MS = 4_000;
/** How long the end of the connections may take. */
export const CLOSE_MS = 2_000;
const MAX_RECONNECT_MS = 1_000;

/** What a worker needs to render a request. A reader of the queue reads the cookies, headers and credentials of requests. */
export interface JobData {
  readonly params: Readonly<Record<string, unknown>>;
  /** Of the request, for logs. */
  readonly requestId: string;
  /** Where the front listens. */
  readonly replyTo: string;
  /** Authenticates the worker that calls back. */
  readonly secret: string;
  readonly cacheKey: string;
  /** Flags of the front that the worker must have too. */
  readonly protections: readonly string[];
}

/** Jobs that wait for a worker, and jobs that workers have begun, of all fronts. */
export interface Depth {
  readonly queued: number;
  readonly active: number;
}

export interface QueueOptions {
  /** `redis://` or `rediss://`, with credentials. */
  readonly url: string;
  /** Several clusters may share a Redis. */
  readonly name: string;
  readonly log: Logger;
}

/** The jobs of all fronts. Every call is bounded in time and rejects with `browser_unavailable` while the queue cannot be reached. */
export interface JobQueue {
  readonly isUp: boolean;
  readonly redis: Redis;
  add(id: string, data: JobData, priority: number): Promise<void>;
  /** Removes a job that no worker has begun. */
  remove(id: string): Promise<void>;
  /** Those of the jobs that are neither waiting nor with a worker. */
  findMissing(ids: readonly string[]): Promise<readonly string[]>;
  /** Whether the job waits for a worker. */
  isWaiting(id: string): Promise<boolean>;
  depth(): Promise<Depth>;
  /** Called when the connection is back: the queue may have lost jobs. */
  onReturn(listener: () => void): void;
  close(): Promise<void>;
}

export const PREFIX = 'platen';
/** A page that ends its workers so often is not given to another. */
export const MAX_ATTEMPTS = 3;
/** A job with a priority is among the "waiting" ones once it has been taken back from a worker. */
const WAITING: ReadonlySet<string> = new Set(['waiting', 'prioritized']);

/** @throws PlatenError `boot_invalid_flag`, with the cause and without credentials, if the queue cannot be reached. */
export async function openQueue({ url, name, log }: QueueOptions): Promise<JobQueue> {
  const { redis, cause } = await connect(url);
  const queue = new Queue<JobData>(name, { connection: redis, prefix: PREFIX });
  queue.on('error', () => undefined);
  logOutages(redis, { url, log, cause });
  return {
    get isUp() {
      return redis.status === 'ready';
    },
    redis,
    async add(id, data, priority) {
      await answer(queue.add('render', data, { jobId: id, priority, removeOnComplete: true, removeOnFail: true }));
    },
    async remove(id) {
      await answer(queue.remove(id));
    },
    async findMissing(ids) {
      const all = await answer(redis.exists(ids.map((id) => queue.toKey(id))));
      if (all === ids.length) return [];
      const states = await Promise.all(ids.map(async (id) => ({ id, job: await answer(queue.getJob(id)) })));
      return states.filter(({ job }) => job === undefined).map(({ id }) => id);
    },
    isWaiting: async (id) => WAITING.has(await answer(queue.getJobState(id))),
    async depth() {
      const counts = await answer(queue.getJobCounts('wait', 'prioritized', 'active'));
      return { queued: (counts.wait ?? 0) + (counts.prioritized ?? 0), active: counts.active ?? 0 };
    },
    onReturn(listener) {
      redis.on('ready', listener);
    },
    async close() {
      await withTimeout(queue.close(), CLOSE_MS).catch(() => undefined);
      redis.disconnect();
    },
  };
}

/** What `platen doctor` reports; undefined: not disclosed. */
export interface QueueFacts {
  /** With its version: `Redis 7.0.15`. */
  readonly name: string;
  /** Of Redis; Valkey names the one that it is compatible with. */
  readonly version: string | undefined;
  readonly policy: string | undefined;
}

/** @throws PlatenError `boot_invalid_flag` if the queue cannot be reached. */
export async function inspectQueue(url: string): Promise<QueueFacts> {
  const { redis } = await connect(url);
  const info = await redis.info().catch(() => '');
  redis.disconnect();
  const read = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
  const [version, valkey] = [read('redis_version'), read('valkey_version')];
  const name = valkey === undefined ? `Redis ${version ?? 'of an unknown version'}` : `Valkey ${valkey}`;
  return { name, version, policy: read('maxmemory_policy') };
}

function logOutages(redis: Redis, { url, log, cause }: Pick<QueueOptions, 'url' | 'log'> & { cause(): unknown }): void {
  let isDown = false;
  redis.on('close', () => {
    if (isDown || redis.status === 'end') return;
    isDown = true;
    log.warn({ queue: hostOf(url), cause: describeCause(cause()) }, 'the queue of the cluster is unreachable');
  });
  redis.on('ready', () => {
    isDown = false;
    log.info({ queue: hostOf(url) }, 'the queue of the cluster is back');
  });
}

export interface BlockingConnection {
  readonly connection: Redis;
  /** Also disconnects those that BullMQ has opened beside it: it waits for them while the queue is unreachable. */
  disconnect(): void;
}

/** A connection whose commands may block, and wait while the queue is unreachable. It is opened when it is needed. */
export function openBlocking(url: string): BlockingConnection {
  const connection = connectTo(url, {});
  const opened = [connection];
  const { duplicate } = connection;
  connection.duplicate = (options) => {
    const another = duplicate.call(connection, options).on('error', () => undefined);
    opened.push(another);
    return another;
  };
  connection.on('error', () => undefined);
  return {
    connection,
    disconnect() {
      for (const each of opened) each.disconnect();
    },
  };
}

function connectTo(url: string, options: Pick<RedisOptions, 'enableOfflineQueue' | 'commandTimeout'>): Redis {
  return new Redis(url, {
    ...options,
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: REPLY_MS,
    retryStrategy: (times) => Math.min(times * 100, MAX_RECONNECT_MS),
  });
}

/** The connection, and the latest error on it. @throws PlatenError `boot_invalid_flag` */
async function connect(url: string): Promise<{ readonly redis: Redis; cause(): unknown }> {
  // Without a connection commands fail immediately instead of waiting for it: a job must not run after its request has failed.
  const redis = connectTo(url, { enableOfflineQueue: false, commandTimeout: REPLY_MS });
  let cause: unknown;
  redis.on('error', (error: unknown) => {
    cause = error;
  });
  const connected = redis.connect().then(() => redis.ping());
  const reply = await withTimeout(connected, REPLY_MS).catch(() => undefined);
  if (reply === 'PONG') return { redis, cause: () => cause };
  redis.disconnect();
  const problem = `--cluster-queue: ${hostOf(url)} is unreachable: ${describeCause(cause)}`;
  throw new PlatenError('boot_invalid_flag', `${problem}; ${adviseOn(cause)}`);
}

async function answer<T>(reply: Promise<T>): Promise<T> {
  try {
    const given = await withTimeout(
      reply.then((value) => ({ value })),
      REPLY_MS,
    );
    if (given !== undefined) return given.value;
  } catch (cause) {
    throw queueDown(cause);
  }
  throw queueDown();
}
