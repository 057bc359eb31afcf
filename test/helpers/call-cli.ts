import { relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { installedCatalog } from '../../server/src/boot/catalog.js';
import { main } from '../../server/src/cli/main.js';
import { CLI, type CliOptions, type CliResult } from './run-cli.js';

/**
 * Calls the command line in this process: for what prints and ends, where a process for each call (`runCli`) is most of the time.
 * Neither signals nor standard input reach it.
 */
export async function callCli(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: Pick<CliOptions, 'cwd' | 'env'> = {},
): Promise<CliResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io = { stdout, stderr, environment: { ...process.env, ...env }, cwd, program: `node ${relative(cwd, CLI)}` };
  const ended = main(args, io, installedCatalog).finally(() => {
    stdout.end();
    stderr.end();
  });
  const [code, printed, told] = await Promise.all([ended, buffer(stdout), text(stderr)]);
  return { code, stdout: printed, stderr: told };
}
