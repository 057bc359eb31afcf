import { spawn } from 'node:child_process';
import type { UnixUser } from './private-folder.js';
import { killGroup } from './kill-group.js';

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, after which the program is ended. */
  readonly timeoutMs: number;
  /** Who it runs as; by default as Platen itself. */
  readonly identity?: UnixUser;
  readonly signal?: AbortSignal;
}

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** It was ended, and would have gone on. */
  readonly late: boolean;
}

/** Characters of each stream that are kept, its last ones. */
const KEPT = 16_384;
/** How long what was printed last may take to come, once the program has ended. */
const REST_MS = 500;

/** Runs a program for what it prints, and ends it with all that it has started: a wrapper's program outlives the wrapper. Never rejects. */
export function runProgram(
  command: string,
  args: readonly string[],
  { env, timeoutMs, identity, signal }: RunOptions,
): Promise<ProgramOutput> {
  return new Promise((resolve) => {
    const detached = process.platform !== 'win32';
    const child = spawn(command, args, { ...{ env: { ...env }, detached, stdio: ['ignore', 'pipe', 'pipe'] }, ...identity });
    const printed = { stdout: '', stderr: '' };
    let late = false;
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ ...printed, late });
    };
    const giveUp = () => {
      late = true;
      killGroup(child.pid);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] = (printed[name] + text).slice(-KEPT);
      });
    }
    child.once('exit', () => {
      killGroup(child.pid);
      setTimeout(end, REST_MS).unref();
    });
    child.once('close', end).once('error', end);
    if (signal?.aborted === true) giveUp();
  });
}
