import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openHostsFiles } from '../../../kernel/src/egress/hosts-files.js';
import { openNameResolver, type NameSources, type Resolve } from '../../../kernel/src/egress/name-resolver.js';
import { openNameServer, type NameServer, type Said } from '../../helpers/name-server.js';

const NXDOMAIN = { error: 3 };
const SERVFAIL = { error: 2 };

const ZONE: Readonly<Record<string, Said>> = {
  'both.test': ['192.0.2.1', '2001:db8::1'],
  'ipv4.test': ['192.0.2.1', '192.0.2.2'],
  'ipv6.test': ['2001:db8::6'],
  'alias.test': { alias: 'further.test' },
  'further.test': { alias: 'ipv4.test' },
  '_under_score.test': ['192.0.2.7'],
  'xn--bcher-kva.test': ['192.0.2.8'],
  'empty.test': [],
  'broken.test': SERVFAIL,
  'service.inside.test': ['192.0.2.9'],
  'deep.service.inside.test': ['192.0.2.10'],
};

let folder: string;
let server: NameServer;
let sources: NameSources;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'platen-names-'));
  const paths = { hosts: join(folder, 'hosts'), resolv: join(folder, 'resolv.conf'), nsswitch: join(folder, 'nsswitch.conf') };
  writeFileSync(paths.hosts, '# ours\n127.0.0.1\there.test Other.Here.test # both\n::1 here.test\n192.0.2.66 both.test.\n');
  writeFileSync(paths.resolv, 'nameserver 127.0.0.1\nsearch inside.test\n');
  writeFileSync(paths.nsswitch, 'hosts: files mdns4_minimal [NOTFOUND=return] dns\n');
  server = await openNameServer((name, type) => {
    if (name.endsWith('silent.test') || (name === 'half.test' && type === 'AAAA')) return 'nothing';
    return name === 'half.test' ? ['192.0.2.1'] : (ZONE[name.toLowerCase()] ?? NXDOMAIN);
  });
  sources = { files: openHostsFiles(paths), servers: [server.address], system: () => Promise.reject(notFound()) };
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
});

const notFound = () => Object.assign(new Error('no'), { code: 'ENOTFOUND' });

async function resolve(host: string, system?: Resolve): Promise<readonly string[]> {
  const names = openNameResolver(system === undefined ? sources : { ...sources, system });
  try {
    return (await names.resolve(host)).map(({ address }) => address);
  } finally {
    names.close();
  }
}

describe('a name', () => {
  it.each([
    ['ipv4.test', ['192.0.2.1', '192.0.2.2']],
    ['ipv6.test', ['2001:db8::6']],
    ['alias.test', ['192.0.2.1', '192.0.2.2']],
    ['IPv4.Test', ['192.0.2.1', '192.0.2.2']],
    ['ipv4.test.', ['192.0.2.1', '192.0.2.2']],
    ['_under_score.test', ['192.0.2.7']],
    ['xn--bcher-kva.test', ['192.0.2.8']],
    ['service', ['192.0.2.9']],
    ['deep.service', ['192.0.2.10']],
    ['here.test', ['::1', '127.0.0.1']],
    ['other.here.test', ['127.0.0.1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['a.LocalHost.', ['127.0.0.1', '::1']],
    ['2130706433', ['127.0.0.1']],
    ['0x7f.1', ['127.0.0.1']],
  ])('%s has its addresses', async (host, addresses) => {
    expect(await resolve(host)).toEqual(addresses);
  });

  it('has those of both families', async () => {
    expect([...(await resolve('both.test'))].sort()).toEqual(['192.0.2.1', '2001:db8::1']);
  });

  it('of the hosts file is asked of nobody, and the file is read again', async () => {
    const before = server.asked.length;
    const names = openNameResolver(sources);
    await names.resolve('here.test');
    writeFileSync(join(folder, 'hosts'), '127.0.0.1 here.test\n127.0.0.1 other.here.test new.test\n::1 here.test\n');
    expect(await names.resolve('new.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(server.asked.length).toBe(before);
    names.close();
  });

  it.each(['nowhere.test', 'empty.test', 'ho%20st.test'])('%s, which name servers do not know, is asked of the system', async (host) => {
    expect(await resolve(host, () => Promise.resolve([{ address: '192.0.2.50', family: 4 }]))).toEqual(['192.0.2.50']);
    await expect(resolve(host)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('that name servers cannot tell, or that the system has no other source for, is asked of nobody else', async () => {
    const system = vi.fn<Resolve>(() => Promise.resolve([{ address: '192.0.2.50', family: 4 }]));
    await expect(resolve('broken.test', system)).rejects.toMatchObject({ code: 'ESERVFAIL' });
    writeFileSync(join(folder, 'nsswitch.conf'), 'passwd: files systemd\nhosts: files dns # and no other\n');
    await expect(resolve('nowhere.test', system)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(system).not.toHaveBeenCalled();
    writeFileSync(join(folder, 'nsswitch.conf'), 'hosts: files resolve [!UNAVAIL=return] dns\n');
    expect(await resolve('nowhere.test', system)).toEqual(['192.0.2.50']);
  });

  it('does not wait for a family that nobody answers for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const found = resolve('half.test');
    await vi.waitFor(() => {
      expect(vi.getTimerCount()).toBe(1);
    });
    vi.advanceTimersByTime(2_000);
    expect(await found).toEqual(['192.0.2.1']);
  });
});

describe('names that nobody answers for', () => {
  it('keep neither other names nor other renders waiting, and end with their render', async () => {
    const system = vi.fn<Resolve>(() => Promise.reject(notFound()));
    const [hostile, other] = [openNameResolver({ ...sources, system }), openNameResolver(sources)];
    const before = server.asked.length;
    const pending = Array.from({ length: 200 }, (_, at) => hostile.resolve(`h${String(at)}.silent.test`));
    const settled = Promise.allSettled(pending);
    expect(await other.resolve('ipv6.test')).toHaveLength(1);
    expect(await hostile.resolve('here.test')).toHaveLength(2);
    hostile.close();
    expect(new Set((await settled).map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : '')))).toEqual(
      new Set(['ECANCELLED']),
    );
    // No more than 32 at once, each for two types.
    expect(server.asked.slice(before).filter((asked) => asked.includes('silent')).length).toBeLessThanOrEqual(64);
    await expect(hostile.resolve('ipv4.test')).rejects.toMatchObject({ code: 'ECANCELLED' });
    // What has begun takes its course before it is looked at.
    expect(await other.resolve('alias.test')).toHaveLength(2);
    expect(system).not.toHaveBeenCalled();
    other.close();
  });

  it('are asked of the system one at a time for each render, in turns', async () => {
    const asked: string[] = [];
    const release = new Map<string, () => void>();
    const system: Resolve = (host) =>
      new Promise((_, reject) => {
        asked.push(host);
        release.set(host, () => {
          reject(notFound());
        });
      });
    const [hostile, other] = [openNameResolver({ ...sources, system }), openNameResolver({ ...sources, system })];
    const all = [...['a.none.test', 'b.none.test', 'c.none.test'].map(hostile.resolve), other.resolve('d.none.test')];
    const settled = Promise.allSettled(all);
    await vi.waitFor(() => {
      expect(asked).toHaveLength(2);
    });
    expect(asked).toContain('d.none.test');
    hostile.close();
    for (const settle of release.values()) settle();
    other.close();
    await settled;
    expect(asked).toHaveLength(2);
  });

  it('are given up in words', async () => {
    const expired = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(expired.signal);
    const names = openNameResolver(sources);
    const failed = names.resolve('one.silent.test');
    expired.abort();
    await expect(failed).rejects.toMatchObject({ code: 'ETIMEOUT', message: expect.stringContaining('one.silent.test') as string });
    names.close();
  });
});
