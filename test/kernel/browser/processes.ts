import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, vi } from 'vitest';

export interface ProcessFacts {
  readonly pid: number;
  readonly command: string;
  /** The process group: the pid of the browser that it belongs to. */
  readonly group: number;
  /** `/proc/<pid>/status`, by field. */
  readonly status: Readonly<Record<string, string>>;
}

/** The pids of all browsers that pools of `openPool` have started. */
export const startedBrowsers = new Set<number>();

const FOLDER = `platen-${String(process.pid)}-`;

/** All processes of browsers that this process started, also of those that never got as far as being logged. */
export async function browserProcesses(): Promise<readonly ProcessFacts[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = (await Promise.all(pids.map(factsOf))).filter((fact) => fact !== undefined);
  const groups = new Set([...startedBrowsers, ...all.filter(({ command }) => command.includes(FOLDER)).map(({ group }) => group)]);
  return all.filter(({ group }) => groups.has(group));
}

export function isBrowser({ command }: ProcessFacts): boolean {
  return !command.includes('--type=');
}

export function isRenderer({ command }: ProcessFacts): boolean {
  return command.includes('--type=renderer');
}

export function isNetworkService({ command }: ProcessFacts): boolean {
  return command.includes('network.mojom.NetworkService');
}

async function factsOf(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const command = (await readFile(`/proc/${String(pid)}/cmdline`, 'utf8')).replaceAll('\0', ' ');
    const lines = (await readFile(`/proc/${String(pid)}/status`, 'utf8')).split('\n');
    const status = Object.fromEntries(lines.map((line) => line.split(':\t')).map(([key = '', value = '']) => [key, value.trim()]));
    const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8');
    const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
    // What has exited and was not collected yet has no command any more.
    return command === '' ? undefined : { pid, command, group, status };
  } catch {
    return undefined;
  }
}

/**
 * Passes once no process and no folder of a browser is left. A process that was killed is there until the machine has a moment for it to
 * end, which nobody but its parent is told of.
 */
export async function nothingIsLeft(): Promise<void> {
  const commands = async () => (await browserProcesses()).map(({ command }) => command);
  await vi.waitFor(async () => expect(await commands()).toEqual([]), { timeout: 30_000, interval: 10 });
  expect(await profileFolders()).toEqual([]);
}

/** Profile folders of this process's browsers. */
export async function profileFolders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(FOLDER));
}
