import { spawn } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { createRendererPriority } from '../../../../kernel/src/browser/process/renderer-priority.js';
import { killGroup, listRenderers, listSandboxedZygotes, readProcess } from '../../../../kernel/src/browser/process/system-processes.js';
import { until } from '../../../helpers/until.js';

const BUSY = 'for (;;);';
const IDLE = 'setInterval(() => {}, 1e3);';
/** Starts a child, as the processes of a browser do. */
const fork = (code: string, type: string) =>
  `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(code)}, '--', '--type=${type}'], { stdio: 'inherit' });`;
/** Forks its renderers when it is told to. */
const ZYGOTE = `process.stdin.once('data', () => { ${fork(BUSY, 'renderer')} ${fork(IDLE, 'renderer')} ${fork(IDLE, 'utility')} });`;

/** Processes with the command lines of a browser. */
function openProcesses() {
  const browser = spawn(process.execPath, ['-e', `${fork(ZYGOTE, 'zygote')} ${IDLE}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const { pid = 0 } = browser;
  onTestFinished(() => {
    killGroup(pid);
  });
  return { pid, forkRenderers: () => browser.stdin.write('go') };
}

it.runIf(process.platform === 'linux')('renderers have a lower priority than the browser, and busy ones the lowest', async () => {
  const { pid, forkRenderers } = openProcesses();
  await until(() => listSandboxedZygotes(pid).length === 1);
  const zygotes = listSandboxedZygotes(pid);
  const priority = createRendererPriority(pid);
  onTestFinished(() => {
    priority.stop();
  });
  priority.start();
  forkRenderers();
  await until(() => listRenderers(zygotes).length === 2);
  await until(() => listRenderers(zygotes).some((renderer) => getPriority(renderer) === 19));
  const [busy = 0, idle = 0] = [...listRenderers(zygotes)].sort((a, b) => getPriority(b) - getPriority(a));
  expect([getPriority(busy), getPriority(idle), getPriority(pid)]).toEqual([19, 5, getPriority()]);
  expect(readProcess(busy)?.cpuSeconds).toBeGreaterThan(0.4);
});
