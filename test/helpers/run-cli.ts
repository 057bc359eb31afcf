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
  /** The lines that a pipe at its standard input says; there is none by default. */
  readonly input?: string;
}

function spawnCli(
  args: readonly string[],
  { cwd, env = {}, file = CLI, input }: CliOptions = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const words = [process.execPath, file, ...args];
  // A shell's pipe: Node's own would be a socket, which no path opens. The shell becomes the command, which is what signals are for.
  const [command = '', ...rest] = input === undefined ? words : ['sh', '-c', 'exec "$@" <<END\n$0\nEND\n', input, ...words];
  return spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd, env: { ...process.env, ...env } });
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

export interface ServerOptions extends CliOptions {
  /** What stands before the other words; `--server` unless the configuration says it. */
  readonly asked?: readonly string[];
}

/** `platen --server` on a free port, once it listens. */
export async function startServer(
  args: readonly string[] = [],
  { asked = ['--server'], ...options }: ServerOptions = {},
): Promise<RunningServer> {
  const child = spawnCli([...asked, '--server-bind-port', '0', ...args], options);
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
