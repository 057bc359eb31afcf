import type { Readable } from 'node:stream';
import cluster from '@platen/plugin-cluster';
import { afterAll, beforeAll } from 'vitest';
import { type TestServer, type TestServerOptions, useServers } from '../../../server/test-server.js';
import { type RedisServer, startRedis } from './redis-server.js';

/** Servers of one cluster each: the Redis is that of the file, the name of the cluster that of the test. */
export interface ClusterServers {
  redis(): RedisServer;
  /** A server of the given role, in the cluster of that name. */
  join(role: 'front' | 'worker' | 'both', name: string, options?: TestServerOptions): Promise<TestServer>;
}

/** Seconds after which a lost worker's job begins again. */
export const LOCK_S = 1;

export function useCluster(): ClusterServers {
  const open = useServers();
  let redis: RedisServer | undefined;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis?.[Symbol.asyncDispose]();
  });
  const known = () => {
    if (redis === undefined) throw new Error('there is no Redis');
    return redis;
  };
  return {
    redis: known,
    join: (role, name, { flags = {}, plugins = [], ...options } = {}) =>
      open({
        ...options,
        plugins: [cluster, ...plugins],
        flags: { 'cluster-queue': known().url, 'cluster-role': role, 'cluster-name': name, 'cluster-lock': LOCK_S, ...flags },
      }),
  };
}

/** A promise, and what resolves it. */
export function promised<T = void>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Reads a stream to its end, and counts its bytes. */
export async function countBytes(stream: ReadableStream<Uint8Array> | Readable | null): Promise<number> {
  let bytes = 0;
  if (stream !== null) for await (const chunk of stream) bytes += (chunk as Uint8Array).length;
  return bytes;
}
