import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { readCommand, watchProcess } from '../../../../kernel/src/browser/process/system-processes.js';

// Some memory, which takes a moment to be given back.
const SCRIPT = `globalThis.kept = Array.from({ length: 10 }, () => Buffer.alloc(4e6, 1)); console.log('ready'); setInterval(() => {}, 1e3);`;

/** Whether a killed process counts as ended at the moment at which it has given up its memory, before its parent can collect it. */
async function endsWithItsMemory(): Promise<boolean> {
  const child = spawn(process.execPath, ['-e', SCRIPT], { stdio: ['ignore', 'pipe', 'ignore'] });
  const { pid = 0 } = child;
  await once(child.stdout, 'data');
  const watched = watchProcess(pid);
  expect(watched?.ended).toBe(false);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  while (readCommand(pid) !== '');
  const ended = watched?.ended === true;
  await exited;
  return ended;
}

it.runIf(process.platform === 'linux')('a killed process has ended once it cannot do any more, though it is not a zombie yet', async () => {
  for (let turn = 0; turn < 6; turn++) expect(await endsWithItsMemory()).toBe(true);
});
