import { access, constants, statfs } from 'node:fs/promises';
import { availableParallelism, release, tmpdir, totalmem } from 'node:os';
import type { Finding } from '../service/hooks.js';

/** With less, a browser moves its shared memory to the temporary folder, which is slower. */
const ENOUGH_SHARED_MEMORY = 256 * 1024 ** 2;
/** Space for the browser profiles and the videos of a few renders. */
const ENOUGH_DISK = 1024 ** 3;

/** Checks the machine: Node, memory, disk, time zones. */
export async function checkHost(): Promise<readonly Finding[]> {
  return [machine(), await sharedMemory(), await temporaryFolder(), await timezones()];
}

function machine(): Finding {
  const facts = {
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    kernel: release(),
    processors: availableParallelism(),
    memory: totalmem(),
    root: process.getuid?.() === 0,
  };
  const { node, platform, arch, processors, memory, root } = facts;
  const user = root ? ', started by root: the browser runs as an unprivileged user' : '';
  return {
    id: 'host',
    state: 'ok',
    text: `Node ${node}, ${platform} ${arch}, ${processors} processors, ${formatBytes(memory)} memory${user}`,
    facts,
  };
}

async function sharedMemory(): Promise<Finding> {
  const free = await freeBytes('/dev/shm');
  if (free === undefined) return { id: 'shared_memory', state: 'ok', text: 'this platform has no /dev/shm', facts: { free: null } };
  const facts = { free };
  const text = `/dev/shm: ${formatBytes(free)} free`;
  if (free >= ENOUGH_SHARED_MEMORY) return { id: 'shared_memory', state: 'ok', text, facts };
  return { id: 'shared_memory', state: 'remark', text: `${text}: large pages render slower`, fix: 'docker run --shm-size=1g', facts };
}

async function temporaryFolder(): Promise<Finding> {
  const path = tmpdir();
  const free = await freeBytes(path);
  const writable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  const facts = { path, free: free ?? null, writable };
  if (!writable)
    return { id: 'temporary_folder', state: 'missing', text: `${path} is not writable`, fix: 'export TMPDIR=/a/folder', facts };
  const text = `${path}: ${free === undefined ? 'unknown space' : formatBytes(free)} free`;
  if (free === undefined || free >= ENOUGH_DISK) return { id: 'temporary_folder', state: 'ok', text, facts };
  return {
    id: 'temporary_folder',
    state: 'remark',
    text: `${text}: videos and archives need more`,
    fix: 'export TMPDIR=/a/larger/folder',
    facts,
  };
}

async function timezones(): Promise<Finding> {
  const known = Intl.supportedValuesOf('timeZone').length;
  const database = await access('/usr/share/zoneinfo/UTC').then(
    () => true,
    () => false,
  );
  const facts = { known, database, local: Intl.DateTimeFormat().resolvedOptions().timeZone };
  const text = `${known} time zones, ${database ? 'with a system database' : 'without a system database'}, local is ${facts.local}`;
  if (database || process.platform === 'win32') return { id: 'timezones', state: 'ok', text, facts };
  return { id: 'timezones', state: 'remark', text, fix: 'apt-get install tzdata', facts };
}

async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function formatBytes(bytes: number): string {
  const gibibytes = bytes / 1024 ** 3;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
