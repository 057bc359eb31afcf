import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const CLI = new URL('../../server/dist/cli.js', import.meta.url).pathname;

/** A built server as a process of its own, on a free port. */
export interface RunningPlaten extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly base: string;
  readonly pid: number;
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface PlatenOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The file to run: by default the built command line. */
  readonly file?: string;
}

export async function startPlaten({ args = [], cwd, file = CLI }: PlatenOptions = {}): Promise<RunningPlaten> {
  const child = spawn(process.execPath, [file, '--server', '--server-bind-port', '0', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const base = await listeningUrl(child.stdout);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return { base, pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: () => stop().then(() => undefined) };
}

/** Reads the log up to the line that says where the server listens, and lets the rest flow. */
async function listeningUrl(stream: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stream });
  for await (const line of lines) {
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (base === undefined) continue;
    stream.resume();
    return base;
  }
  throw new Error('the server ended before it listened');
}
