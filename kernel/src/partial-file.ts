import { readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';

const PART = /\.(\d+)(?:-(\d+))?\.part$/;

/** After how long an unchanged file of an unknown process is stale: writers receive data only as fast as renders produce it. */
const RESTING_MS = 3_600_000;
/** No write takes that long: the writer's process id was reused. */
const LONGEST_WRITE_MS = 24 * RESTING_MS;

/** The name of a file while this process writes it. It identifies the writer to other processes that share the folder. */
export function partialPath(path: string): string {
  return `${path}.${String(process.pid)}-${namespaceOfPids()}.part`;
}

/** Whether the file is a partial file that no process writes any longer. */
export async function isStalePartial(path: string, now = Date.now()): Promise<boolean> {
  const [, pid, namespace] = PART.exec(path) ?? [];
  if (pid === undefined) return false;
  const isHere = namespace === namespaceOfPids();
  if (isHere && !isAlive(Number(pid))) return true;
  const file = await stat(path).catch(() => undefined);
  return file !== undefined && now - file.mtimeMs > (isHere ? LONGEST_WRITE_MS : RESTING_MS);
}

let namespace: string | undefined;

/** Containers that share a folder use the same ids for different processes: an id is valid only in its own namespace. */
export function namespaceOfPids(): string {
  return (namespace ??= readNamespace());
}

function readNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/** Whether a process with this id runs, even if this user may not signal it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
