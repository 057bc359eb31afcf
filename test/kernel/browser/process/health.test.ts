import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { readThreads } from '../../../../kernel/src/browser/process/system-processes.js';
import { watchHealth } from '../../../../kernel/src/browser/process/health.js';
import type { BrowserProcess } from '../../../../kernel/src/browser/process/browser-process.js';
import { until } from '../../../helpers/until.js';

/** How many heartbeats a process misses, which answers none, until it counts as hung. */
async function countBeats(source: string, busy: boolean): Promise<number> {
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  // Threads of a process that has just started may still be at work.
  await until(() => readThreads(child.pid ?? 0).some(({ state }) => 'RD'.includes(state)) === busy);
  let beats = 0;
  const send = () => Promise.reject(new Error(`no answer ${String((beats += 1))}`));
  // What the watch asks of a browser.
  const browser = { pid: child.pid, gone: false, root: { send } } as unknown as BrowserProcess;
  await new Promise<void>((onHang) => {
    onTestFinished(watchHealth({ process: browser, intervalMs: 1, memoryLimit: Infinity, onHang, onMemoryLimit: () => undefined }));
  });
  return beats;
}

test.runIf(process.platform === 'linux').each([
  ['waits for nothing that comes', `console.log(1); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`, false, 2],
  ['is busy, or starved by others', 'console.log(1); while (true);', true, 12],
])('a browser that does not answer and %s counts as hung', async (_what, source, busy, expected) => {
  expect(await countBeats(source, busy)).toBe(expected);
});
