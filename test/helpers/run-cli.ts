import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The file to run; by default the built command line. */
  readonly file?: string;
}

function spawnCli(args: readonly string[], { cwd, env = {}, file = CLI }: CliOptions = {}): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd, env: { ...process.env, ...env } });
}

/** Runs the built command line to its end. */
export async function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  const child = spawnCli(args, options);
  const [stdout, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** Resolves with the first log line of that message, past or to come. */
  line(message: string): Promise<Readonly<Record<string, unknown>>>;
  signal(name: 'SIGHUP' | 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void;
  readonly exited: Promise<number | null>;
  /** All of stderr, once it has ended. */
  readonly errors: Promise<string>;
}

/** `platen --server` on a free port, once it listens. */
export async function startServer(args: readonly string[] = [], options?: CliOptions): Promise<RunningServer> {
  const child = spawnCli(['--server', '--server-bind-port', '0', ...args], options);
  const exited = (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code);
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  const errors = text(child.stderr);
  const line = (message: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const look = () => {
        const found = lines.find(({ msg }) => msg === message);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void exited.then(async () => {
        reject(new Error(`the server ended without saying "${message}": ${await errors}`));
      });
    });
  const { url } = await line('listening');
  return {
    url: String(url),
    pid: child.pid ?? 0,
    lines,
    line,
    signal: (name) => child.kill(name),
    exited,
    errors,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}
