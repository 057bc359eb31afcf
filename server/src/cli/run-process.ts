import process from 'node:process';
import type { Catalog } from './catalog.js';
import { main } from './main.js';

/** Runs the command line as this process, which ends with its exit code. */
export async function runProcess(catalog: Catalog): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: Error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
  });
  const io = { stdout: process.stdout, stderr: process.stderr, environment: process.env, cwd: process.cwd() };
  const code = await main(process.argv.slice(2), io, catalog);
  process.exitCode = code;
  // Whoever was told to hurry does not wait for what hangs.
  if (code > 128) process.exit();
}
