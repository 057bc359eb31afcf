import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** Memory in bytes: of the host or of the control group of the process, whichever has less available. */
export interface Memory {
  readonly available: number;
  readonly total: number;
}

/** Reads the text of a file; undefined if it is not readable. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Undefined on hosts other than Linux. */
export async function readMemory(read: ReadText = readText): Promise<Memory | undefined> {
  const known = await Promise.all([readHost(read), ...(await listGroups(read)).map((group) => readGroup(group, read))]);
  return known.reduce((least, memory) => (least === undefined || (memory?.available ?? Infinity) < least.available ? memory : least));
}

const readText: ReadText = (path) => readFile(path, 'utf8').catch(() => undefined);

/** `MemAvailable`: memory available without swapping, including reclaimable caches (proc_meminfo(5)). */
async function readHost(read: ReadText): Promise<Memory | undefined> {
  const text = (await read('/proc/meminfo')) ?? '';
  const bytesOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1024;
  return toMemory(bytesOf('MemAvailable'), bytesOf('MemTotal'));
}

/** The directory of a control group, and the file names of its version. */
interface Group {
  readonly folder: string;
  readonly names: typeof V1 | typeof V2;
}

const V1 = { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes', cached: 'total_inactive_file' } as const;
const V2 = { limit: 'memory.max', usage: 'memory.current', cached: 'inactive_file' } as const;

/**
 * The groups of the process and all their ancestors; each can have a limit (cgroups(7)). In a container the path is often that of
 * the host while the directory starts at the container's group, so the root is included.
 */
async function listGroups(read: ReadText): Promise<readonly Group[]> {
  const lines = ((await read('/proc/self/cgroup')) ?? '').split('\n');
  return lines.flatMap((line): readonly Group[] => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === '') return upwards(path).map((folder) => ({ folder: posix.join('/sys/fs/cgroup', folder), names: V2 }));
    if (controllers?.split(',').includes('memory') !== true) return [];
    return upwards(path).map((folder) => ({ folder: posix.join('/sys/fs/cgroup/memory', folder), names: V1 }));
  });
}

/** `/a/b`, `/a`, `/`. */
function upwards(path: string): readonly string[] {
  return path === '/' ? [path] : [path, ...upwards(posix.dirname(path))];
}

async function readGroup({ folder, names }: Group, read: ReadText): Promise<Memory | undefined> {
  const [limit, usage, stat] = await Promise.all([names.limit, names.usage, 'memory.stat'].map((name) => read(posix.join(folder, name))));
  const total = Number.parseInt(limit ?? '', 10);
  // Usage includes inactive file cache, which the kernel reclaims before it kills a process.
  const cached = Number(new RegExp(`^${names.cached} (\\d+)$`, 'm').exec(stat ?? '')?.[1] ?? 0);
  // Without a limit the value is `max`, or a number larger than the memory (v1): then the host's memory counts.
  return toMemory(total - Number.parseInt(usage ?? '', 10) + cached, total);
}

function toMemory(available: number, total: number): Memory | undefined {
  return Number.isFinite(available) && Number.isFinite(total) ? { available, total } : undefined;
}
