import { readdirSync, readFileSync } from 'node:fs';

/** The state of a process on Linux (`proc(5)`, `/proc/pid/stat`). */
export interface ProcessFacts {
  /** `R` running or waiting for a processor, `S` sleeping, `D` waiting for a disk, `T` stopped, `Z` and `X` ended. */
  readonly state: string;
  /** It runs no code of its own any more: it was killed, or has exited, and the system takes it apart. Its state is still `R` then. */
  readonly exiting: boolean;
  /** Processor time of all its threads. */
  readonly cpuSeconds: number;
  readonly threads: number;
  /** Clock ticks since boot: distinguishes it from a later process with the same number. */
  readonly startTime: string;
}

/** A watched process. */
export interface WatchedProcess {
  readonly pid: number;
  /** True once it has ended or is about to, also while its parent has not collected it, or another process has its number. */
  readonly ended: boolean;
}

/** The flag of a process that exits, in field 9 of `/proc/pid/stat` (`PF_EXITING`, the kernel's include/linux/sched.h). */
const EXITING = 0x4;

/** Clock ticks in a second (`USER_HZ`), the same on every architecture that Node.js supports. */
const TICKS_PER_SECOND = 100;

/** Undefined if the process or `/proc` does not exist. */
export function readProcess(pid: number): ProcessFacts | undefined {
  return parseStat(read(`${String(pid)}/stat`));
}

/** The state of each of its threads. */
export function readThreads(pid: number): readonly ProcessFacts[] {
  return listThreads(pid).flatMap((thread) => parseStat(read(`${String(pid)}/task/${String(thread)}/stat`)) ?? []);
}

/** Numbers of its threads. */
export function listThreads(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${String(pid)}/task`).map(Number);
  } catch {
    return [];
  }
}

/** The command line, its arguments separated by NUL. Empty if the process does not exist. */
export function readCommand(pid: number): string {
  return read(`${String(pid)}/cmdline`);
}

/** Undefined if it has ended, or the machine does not show processes. */
export function watchProcess(pid: number): WatchedProcess | undefined {
  const startTime = readProcess(pid)?.startTime;
  if (startTime === undefined) return undefined;
  return {
    pid,
    get ended() {
      const facts = readProcess(pid);
      return facts?.startTime !== startTime || facts.exiting || 'ZX'.includes(facts.state);
    },
  };
}

/** The processes that a browser forks its renderers and its GPU process from. They start before it opens a page. */
export function listZygotes(browser: number): readonly number[] {
  return listChildren(browser).filter(isZygote);
}

/** Those that fork renderers. The zygote without a sandbox forks the GPU process and utilities. */
export function listSandboxedZygotes(browser: number): readonly number[] {
  // A zygote in its own PID namespace is the child of another zygote.
  const withNested = (zygote: number): readonly number[] => [zygote, ...listChildren(zygote).filter(isZygote).flatMap(withNested)];
  const sandboxed = listZygotes(browser).filter((pid) => !readCommand(pid).includes('--no-zygote-sandbox'));
  return sandboxed.flatMap(withNested);
}

/** The renderers that these zygotes have forked. */
export function listRenderers(zygotes: readonly number[]): readonly number[] {
  return zygotes.flatMap(listChildren).filter((pid) => readCommand(pid).includes('--type=renderer'));
}

function isZygote(pid: number): boolean {
  return readCommand(pid).includes('--type=zygote');
}

function listChildren(pid: number): readonly number[] {
  const lists = listThreads(pid).map((thread) => read(`${String(pid)}/task/${String(thread)}/children`));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

function parseStat(stat: string): ProcessFacts | undefined {
  // The name of the command, in parentheses, may hold spaces and parentheses itself.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [startTime, userTime, systemTime, threads] = [fields[18], fields[10], fields[11], fields[16]];
  if (state === undefined || startTime === undefined) return undefined;
  const exiting = (Number(fields[5]) & EXITING) !== 0;
  return { state, exiting, cpuSeconds: (Number(userTime) + Number(systemTime)) / TICKS_PER_SECOND, threads: Number(threads), startTime };
}

/** The operating system generates these files when they are read, without blocking. */
function read(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/** Kills a process group leader with all processes it started. Undefined: the process never started. */
export function killGroup(pid: number | undefined): void {
  if (pid !== undefined) signalProcess(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

/**
 * Kills a browser with its crash handlers, which the full Chromium starts outside of its process group
 * (https://chromium.googlesource.com/crashpad/crashpad/+/HEAD/doc/overview_design.md). Usually they end with it; one that was reading a
 * crashed renderer may remain, and with it the renderer. Only Linux shows them; elsewhere nothing is done about them.
 */
export function killBrowser(pid: number | undefined, profileFolder: string): void {
  killGroup(pid);
  killCrashHandlers(profileFolder);
}

function killCrashHandlers(profileFolder: string): void {
  for (const pid of listProcesses()) {
    const command = readCommand(pid);
    if (command.includes('crashpad_handler') && command.includes(profileFolder)) signalProcess(pid, 'SIGKILL');
  }
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** A process that has already exited is not an error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
