import { silentLogger } from '@platen/kernel';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { PREFIX } from '../../../../plugins/service/cluster/src/queue.js';
import { startLockRenewal } from '../../../../plugins/service/cluster/src/worker.js';
import { until } from '../../../helpers/until.js';
import { startRedis } from './redis-server.js';

const LOCK_MS = 2_000;

it('keeps the lock of a job while the event loop is busy for longer than the lock lasts, and loses it afterwards', async () => {
  await using redis = await startRedis();
  const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
  const common = { connection, prefix: PREFIX };
  const queue = new Queue('locks', common);
  const worker = new Worker('locks', null, {
    ...common,
    autorun: false,
    lockDuration: LOCK_MS,
    skipLockRenewal: true,
    skipStalledCheck: true,
  });
  const locks = startLockRenewal({ url: redis.url, name: 'locks', lockMs: LOCK_MS, log: silentLogger });
  try {
    await locks.ready;
    await queue.add('render', {}, { jobId: 'one' });
    expect(await worker.getNextJob('token')).toMatchObject({ id: 'one' });
    const holder = () => connection.get(`${PREFIX}:locks:one:lock`);
    locks.add('one', 'token');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * LOCK_MS);
    expect(await holder()).toBe('token');
    locks.delete('one');
    await until(async () => (await holder()) === null);
  } finally {
    await locks.close();
    await worker.close();
    await queue.close();
    connection.disconnect();
  }
});
