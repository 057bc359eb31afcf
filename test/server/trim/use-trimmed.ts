import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

export const run = promisify(execFile);
const BUILDER = new URL('../../../server/dist/trim/cli.js', import.meta.url).pathname;

export interface Trimmed {
  /** A folder away from the repository. */
  readonly folder: string;
  /** The build, in a folder of it. */
  readonly out: string;
}

/** A trimmed build with these plugins, for all tests of the file. */
export function useTrimmed(plugins: string): Trimmed {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    await run(process.execPath, [BUILDER, '--plugins', plugins, '--out', join(folder, 'build')]);
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    get folder() {
      return folder;
    },
    get out() {
      return join(folder, 'build');
    },
  };
}
