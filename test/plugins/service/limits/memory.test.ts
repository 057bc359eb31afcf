import { describe, expect, it } from 'vitest';
import { createMemoryGuard, defaultReserve, readMemory } from '../../../../plugins/service/limits/src/memory-guard.js';

const MIB = 1024 ** 2;
const MEMINFO = 'MemTotal:        8192000 kB\nMemFree:          100000 kB\nMemAvailable:    4096000 kB\n';
const host = { available: 4_096_000 * 1024, total: 8_192_000 * 1024 };

const reading = (files: Readonly<Record<string, string>>) => readMemory((path) => Promise.resolve(files[path]));

describe('the memory that is left', () => {
  const v2 = (folder: string, max: string, current: number, inactive: number) => ({
    [`${folder}/memory.max`]: `${max}\n`,
    [`${folder}/memory.current`]: `${String(current)}\n`,
    [`${folder}/memory.stat`]: `anon 1\ninactive_file ${String(inactive)}\nactive_file 5\n`,
  });
  const v1 = (folder: string, limit: number, usage: number, inactive: number) => ({
    [`${folder}/memory.limit_in_bytes`]: `${String(limit)}\n`,
    [`${folder}/memory.usage_in_bytes`]: `${String(usage)}\n`,
    [`${folder}/memory.stat`]: `cache 1\ninactive_file 9\ntotal_inactive_file ${String(inactive)}\n`,
  });
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, unknown])[] = [
    ["a host's without groups", { '/proc/meminfo': MEMINFO }, host],
    ['nowhere but on Linux', {}, undefined],
    [
      'a container of version 2, whose group is the top of what it sees',
      { '/proc/meminfo': MEMINFO, '/proc/self/cgroup': '0::/\n', ...v2('/sys/fs/cgroup', String(512 * MIB), 400 * MIB, 50 * MIB) },
      { available: 162 * MIB, total: 512 * MIB },
    ],
    [
      'version 2, where a group above has the limit',
      {
        '/proc/meminfo': MEMINFO,
        '/proc/self/cgroup': '0::/system.slice/platen.service\n',
        ...v2('/sys/fs/cgroup/system.slice/platen.service', 'max', 400 * MIB, 0),
        ...v2('/sys/fs/cgroup/system.slice', String(1024 * MIB), 1000 * MIB, 0),
      },
      { available: 24 * MIB, total: 1024 * MIB },
    ],
    [
      'version 1, whose path is that of the host',
      {
        '/proc/meminfo': MEMINFO,
        '/proc/self/cgroup': '5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/\n',
        ...v1('/sys/fs/cgroup/memory', 256 * MIB, 200 * MIB, 20 * MIB),
      },
      { available: 76 * MIB, total: 256 * MIB },
    ],
    [
      'version 1 without a limit',
      {
        '/proc/meminfo': MEMINFO,
        '/proc/self/cgroup': '4:memory:/\n',
        ...v1('/sys/fs/cgroup/memory', 9_223_372_036_854_771_712, 200 * MIB, 0),
      },
      host,
    ],
  ];
  it.each(cases)('%s', async (_name, files, expected) => {
    expect(await reading(files)).toEqual(expected);
  });

  it('is known on this host, if it is one of Linux', async () => {
    const memory = await readMemory();
    if (process.platform === 'linux') expect(memory?.available).toBeGreaterThan(MIB);
    else expect(memory).toBeUndefined();
  });
});

describe('the guard', () => {
  const guarding = (available: number, reserve?: number) => {
    const told: unknown[] = [];
    const memory = { available, total: 1000 * MIB };
    const guard = createMemoryGuard({ reserve, read: () => Promise.resolve(memory), onLow: (low) => told.push(low) });
    return { guard, told };
  };

  it('refuses with 503, and when to come again, while less than the reserve is left; it tells once', async () => {
    const { guard, told } = guarding(99 * MIB, 100 * MIB);
    const refused = { code: 'overloaded', status: 503, details: { retryable: true, retry_after: 5 } };
    await expect(guard.assertRoom()).rejects.toMatchObject(refused);
    await expect(guard.assertRoom()).rejects.toMatchObject(refused);
    expect(told).toHaveLength(1);
  });

  it('lets in while there is enough, where it is switched off, and where the host does not tell', async () => {
    await guarding(100 * MIB, 100 * MIB).guard.assertRoom();
    await guarding(0, 0).guard.assertRoom();
    await createMemoryGuard({ read: () => Promise.resolve(undefined) }).assertRoom();
  });

  it('keeps a twentieth free unless told otherwise, and never more than 512 MiB', async () => {
    await expect(guarding(49 * MIB).guard.assertRoom()).rejects.toMatchObject({ code: 'overloaded' });
    await guarding(50 * MIB).guard.assertRoom();
    expect(defaultReserve(64 * 1024 * MIB)).toBe(512 * MIB);
  });

  it('reads once for many', async () => {
    let reads = 0;
    const guard = createMemoryGuard({
      read() {
        reads += 1;
        return Promise.resolve({ available: MIB * 900, total: MIB * 1000 });
      },
    });
    await Promise.all([guard.assertRoom(), guard.assertRoom(), guard.assertRoom()]);
    expect(reads).toBe(1);
  });
});
