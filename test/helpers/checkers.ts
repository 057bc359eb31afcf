import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKERS } from '../../server/setup/checkers.mjs';

/** A program that shares no code with what it checks. */
export type Checker = keyof typeof CHECKERS;

const LIMIT = 512 * 1024 * 1024;

/** Runs a checker, with the input if it reads any, and gives what it printed. One that is missing fails the test, naming the package that has it. */
export async function runChecker(program: Checker, args: readonly string[], input = ''): Promise<Buffer> {
  try {
    const running = promisify(execFile)(program, [...args], { encoding: 'buffer', maxBuffer: LIMIT });
    // Who reads no input may be gone before it is written.
    running.child.stdin?.on('error', () => undefined).end(input);
    const { stdout, stderr } = await running;
    return stdout.length > 0 ? stdout : stderr;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(`"${program}" is not installed, and this test needs it: apt-get install ${CHECKERS[program]}`, { cause: error });
    }
    throw error;
  }
}

/** A file with these bytes in a folder of its own, for checkers that read no pipe. */
export interface CheckedFile extends AsyncDisposable {
  readonly path: string;
  /** The path of another file in the same folder. */
  beside(name: string): string;
}

export async function openCheckedFile(bytes: Buffer, extension: string): Promise<CheckedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-check-'));
  const path = join(folder, `file.${extension}`);
  await writeFile(path, bytes);
  return {
    path,
    beside: (name) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
