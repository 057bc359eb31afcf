import { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { afterAll, vi } from 'vitest';

// Set up for every file of the project `unit`, `x.test.ts`: they run in one process, one after the other.

/** The next file starts with a clock, an environment and methods that are nobody's. */
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What every way to start a process goes through, but for the synchronous ones. */
interface Starter {
  spawn(options: { readonly file: string; readonly args?: readonly string[] }): unknown;
}

// Node's types leave this method out: `spawn`, `execFile` and `fork` call it with their options.
const starter = ChildProcess.prototype as unknown as Starter;
const GUARDED = Symbol.for('platen.test.unit-tier');

if (!(GUARDED in starter)) {
  const { spawn } = starter;
  starter.spawn = function (options) {
    const started = [options.file, ...(options.args ?? [])].find((word) => /^(chrom|google-chrome|cli\.js$)/.test(basename(word)));
    if (started !== undefined) throw new Error(`a test without a suffix starts ${started}: name its file *.browser.test.ts`);
    return spawn.call(this, options);
  };
  Object.defineProperty(starter, GUARDED, { value: true });
}
