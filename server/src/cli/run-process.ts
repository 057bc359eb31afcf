import { basename, dirname, relative } from 'node:path';
import process from 'node:process';
import type { Writable } from 'node:stream';
import type { Catalog } from '../boot/catalog.js';
import type { EarlySighup } from '../boot/early-sighup.js';
import { main } from './main.js';

/** Milliseconds until the process is ended when all work is done: a plugin's timer or socket would keep it running forever. */
const ENDING_MS = 500;
/** Time limit for pending file operations after that, and how often they are checked. */
const HANGING_MS = 5_000;
const LOOK_MS = 50;

/** Runs the command line as this process, which ends with its exit code. */
export async function runProcess(catalog: Catalog, hangup: EarlySighup): Promise<void> {
  // A reader that closes the pipe early, such as `head`, is not an error.
  process.stdout.on('error', (error: Error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
  });
  const io = {
    openStdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: takeEnvironment(),
    cwd: process.cwd(),
    program: programOf(process),
    hangup,
  };
  const code = await main(process.argv.slice(2), io, catalog);
  process.exitCode = code;
  // A process that was stopped by a signal does not wait for hanging operations.
  if (code > 128) end();
  await Promise.all([process.stdout, process.stderr].map(written));
  setTimeout(end, ENDING_MS).unref();
}

/**
 * The command that the user would type again: npm's command if npm started the program, else Node with the file, or the name of the
 * installed program.
 */
function programOf({ argv: [, file = ''], env, cwd }: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd'>): string {
  // The setup has set this file name.
  if (env['npm_lifecycle_event'] === 'start') return 'npm start --';
  if (basename(dirname(file)) === '.bin') return `npx ${basename(file)}`;
  return /\.m?js$/.test(file) ? `node ${relative(cwd(), file)}` : basename(file);
}

/** Node waits for file operations in its threads, even in `exit`: operations that hang on an unresponsive disk are left to the system. */
function end(waitedMs = 0): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) process.exit();
  if (waitedMs >= HANGING_MS) process.kill(process.pid, 'SIGKILL');
  setTimeout(end, LOOK_MS, waitedMs + LOOK_MS);
}

/** Resolves when all output was written, or cannot be written. */
function written(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}

/**
 * Takes Platen's own settings out of the process environment and returns a copy with them: some are secrets, and child processes inherit the
 * rest.
 */
function takeEnvironment(): Readonly<Record<string, string | undefined>> {
  const environment = { ...process.env };
  for (const name of Object.keys(environment).filter((each) => each.startsWith('PLATEN_'))) Reflect.deleteProperty(process.env, name);
  return environment;
}
