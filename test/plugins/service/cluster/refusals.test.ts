import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { adviseOn } from '../../../../plugins/service/cluster/src/queue-errors.js';
import { until } from '../../../helpers/until.js';
import type { FakeRender } from '../../../server/test-server.js';
import { useCluster } from './cluster-servers.js';
import { type RedisServer, startRedis } from './redis-server.js';

const { join } = useCluster();
const never: FakeRender = () => Promise.reject(new Error('a front does not render'));

/** Disconnects before the server ends. */
function administer({ url }: RedisServer): AsyncDisposable & { readonly redis: Redis } {
  const redis = new Redis(url);
  return {
    redis,
    [Symbol.asyncDispose]() {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}

describe('the limit of the queue', () => {
  it('holds for requests of the same moment', async () => {
    const front = await join('front', 'burst', { render: never, flags: { 'cluster-queue-limit': 5 } });
    const asked = Array.from({ length: 20 }, () => front.get('url=http://a.test/'));
    const refused = (count: number) => front.records.filter(({ status }) => status === 429).length >= count;
    await until(() => refused(15));
    await join('worker', 'burst');
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const rendered = statuses.filter((status) => status === 200).length;
    // A job counts twice for the moment in which the queue has it and its front does not know: one of the five may be refused.
    expect(rendered).toBeLessThanOrEqual(5);
    expect(rendered).toBeGreaterThan(0);
  });
});

describe('a queue that refuses commands', () => {
  it('for want of memory is named to clients, and takes jobs again', async () => {
    await using own = await startRedis();
    await using connection = administer(own);
    const flags = { 'cluster-queue': own.url };
    const front = await join('front', 'full', { render: never, flags });
    await join('worker', 'full', { flags });
    await connection.redis.config('SET', 'maxmemory', '1');
    const refused = await front.get('url=http://a.test/');
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { detail: 'the queue of the cluster refuses jobs (OOM): retry later' },
    ]);
    await connection.redis.config('SET', 'maxmemory', '0');
    expect((await front.get('url=http://a.test/')).status).toBe(200);
  });

  it('for want of permissions ends the start, and the error says which are needed', async () => {
    await using own = await startRedis();
    await using connection = administer(own);
    await connection.redis.acl('SETUSER', 'ann', 'on', '>canary', '~other:*', '+@all');
    const url = `redis://ann:canary@127.0.0.1:${String(own.port)}`;
    await expect(join('front', 'refused', { flags: { 'cluster-queue': url } })).rejects.toMatchObject({
      code: 'boot_invalid_flag',
      message: expect.stringMatching(/: NOPERM; its user needs .*\(~platen:\* \+@all -@admin\)$/) as string,
    });
    await connection.redis.acl('SETUSER', 'ann', 'reset', 'on', '>canary', '~platen:*', '+@all', '-@admin');
    const front = await join('both', 'permitted', { flags: { 'cluster-queue': url } });
    expect((await front.get('url=http://a.test/')).status).toBe(200);
  });

  it.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED'])('for %s has an advice', (code) => {
    expect(adviseOn(Object.assign(new Error('x'), { code }))).toContain('NODE_EXTRA_CA_CERTS');
  });
});
