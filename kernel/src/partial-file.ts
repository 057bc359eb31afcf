import { readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAlive } from './is-alive.js';

const PART = /\.(\d+)(?:-(\d+))?\.part$/;

/** How long a file may rest that no process here can be asked about: its writer's bytes come as a render makes them. */
const RESTING_MS = 3_600_000;
/** Nothing is written that long: its writer's number has gone to another process. */
const LONGEST_WRITE_MS = 24 * RESTING_MS;

/** The name that a file has while this process writes it; who else shares the folder sees by it whose it is. */
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

/** Containers that share a folder give the same numbers to different processes: a number says nothing but in its own namespace. */
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
