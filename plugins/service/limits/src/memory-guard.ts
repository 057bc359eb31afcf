import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { PlatenError } from '@platen/kernel';

const readText: ReadText = (path) => readFile(path, 'utf8').catch(() => undefined);
const V1 = { limit: 'memory.limit_in_bytes', usage: 'memory.usage_in_bytes', cached: 'total_inactive_file' } as const;
const V2 = { limit: 'memory.max', usage: 'memory.current', cached: 'inactive_file' } as const;

/** Keeps a part of the memory free, so that the host does not swap. */
export interface MemoryGuard {
  /** @throws PlatenError `overloaded` (503) while less than the reserve is available. */
  assertRoom(): Promise<void>;
}

export interface MemoryGuardOptions {
  /** Bytes to keep free; undefined: `defaultReserve`; 0: no guard. */
  readonly reserve?: number | undefined;
  read?(): Promise<Memory | undefined>;
  /** Called when the guard starts to refuse renders. */
  onLow?(memory: Memory): void;
}

const MIB = 1024 ** 2;
/** Milliseconds that a reading is reused: the kernel computes the numbers at each read, and renders take longer than this. */
const GOOD_FOR_MS = 1_000;
const RETRY_AFTER_S = 5;

/** A twentieth of all memory, at most 512 MiB. */
export function defaultReserve(total: number): number {
  return Math.min(512 * MIB, total / 20);
}

export function createMemoryGuard({ reserve, read = readMemory, onLow }: MemoryGuardOptions): MemoryGuard {
  let readAt = -Infinity;
  let latest: Promise<Memory | undefined> = Promise.resolve(undefined);
  let isLow = false;
  return {
    async assertRoom() {
      if (reserve === 0) return;
      const now = performance.now();
      if (now - readAt >= GOOD_FOR_MS) {
        readAt = now;
        latest = read();
      }
      const memory = await latest;
      if (memory === undefined) return;
      const wasLow = isLow;
      isLow = memory.available < (reserve ?? defaultReserve(memory.total));
      if (!isLow) return;
      if (!wasLow) onLow?.(memory);
      throw new PlatenError('overloaded', 'the server is low on memory: retry when other renders have finished', {
        retryable: true,
        retry_after: RETRY_AFTER_S,
      });
    },
  };
}

/** Memory in bytes: of the host or of the control group of the process, whichever has less available. */
interface Memory {
  readonly available: number;
  readonly total: number;
}

/** Reads the text of a file; undefined if it is not readable. */
type ReadText = (path: string) => Promise<string | undefined>;

/** Undefined on hosts other than Linux. */
export async function readMemory(read: ReadText = readText): Promise<Memory | undefined> {
  const known = await Promise.all([readHost(read), ...(await listGroups(read)).map((group) => readGroup(group, read))]);
  return known.reduce((least, memory) => (least === undefined || (memory?.available ?? Infinity) < least.available ? memory : least));
}

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
