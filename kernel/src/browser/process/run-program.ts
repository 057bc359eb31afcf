import { spawn } from 'node:child_process';
import type { UnixUser } from './private-folder.js';
import { killGroup } from './system-processes.js';

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds, after which the program is ended. */
  readonly timeoutMs: number;
  /** The user that it runs as; default: the same as Platen. */
  readonly identity?: UnixUser;
  readonly signal?: AbortSignal;
}

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** It was terminated before it ended by itself. */
  readonly late: boolean;
}

/** Number of characters buffered per stream: the last ones. */
const KEPT = 16_384;
/** How long the last output may take to arrive after the program has exited. */
const REST_MS = 500;

/**
 * Runs a program for its output, and kills it with all processes it started, since a wrapped program outlives its wrapper. Never rejects.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { env, timeoutMs, identity, signal }: RunOptions,
): Promise<ProgramOutput> {
  return new Promise((resolve) => {
    const detached = process.platform !== 'win32';
    const child = spawn(command, args, { ...{ env: { ...env }, detached, stdio: ['ignore', 'pipe', 'pipe'] }, ...identity });
    // Without file descriptors left it has no streams, and reports that as its error.
    const streams: Partial<Pick<typeof child, 'stdout' | 'stderr'>> = child;
    const printed = { stdout: '', stderr: '' };
    let late = false;
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      streams.stdout?.destroy();
      streams.stderr?.destroy();
      resolve({ ...printed, late });
    };
    const giveUp = () => {
      late = true;
      killGroup(child.pid);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    for (const name of ['stdout', 'stderr'] as const) {
      streams[name]?.setEncoding('utf8').on('data', (text: string) => {
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
