import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Lease } from '../../../../kernel/src/browser/pool/lease.js';
import { browserFor, findBrowsers } from '../../../../kernel/src/browser/process/executable.js';
import { signalProcess } from '../../../../kernel/src/browser/process/system-processes.js';
import { resolveLaunchUser } from '../../../../kernel/src/browser/process/launch-user.js';
import { until } from '../../../helpers/until.js';
import { openPool } from '../open-pool.js';
import { browserProcesses, type ProcessFacts } from '../processes.js';

const run = promisify(execFile);

const isZygote = ({ command }: ProcessFacts) => command.includes('--type=zygote');
const isOpenZygote = (facts: ProcessFacts) => isZygote(facts) && facts.command.includes('--no-zygote-sandbox');
const isSandboxedZygote = (facts: ProcessFacts) => isZygote(facts) && !isOpenZygote(facts);
const find = async (which: (facts: ProcessFacts) => boolean) => (await browserProcesses()).filter(which);

async function render({ tab: { page } }: Lease): Promise<void> {
  await page.goto('data:text/html,<h1>page');
  await page.screenshot({ format: 'png', fast: true });
}

/** Lets what the process starts have no memory: as the user of the browser, which may do that without a privilege. */
async function limitMemory(pid: number): Promise<void> {
  const { prefix } = await resolveLaunchUser(browserFor(await findBrowsers(), 'shell')?.path ?? '', { noSandbox: false });
  await run('env', [...prefix, 'prlimit', '--pid', String(pid), '--as=1']);
}

test.runIf(process.platform === 'linux').each([
  ['all zygotes', (found: readonly ProcessFacts[]) => found],
  ['the zygote without a sandbox', (found: readonly ProcessFacts[]) => found.filter(isOpenZygote)],
  ['the first sandboxed zygote', (found: readonly ProcessFacts[]) => found.filter(isSandboxedZygote).slice(0, 1)],
  ['the last sandboxed zygote', (found: readonly ProcessFacts[]) => found.filter(isSandboxedZygote).slice(-1)],
])('a browser that has lost %s is replaced before the next render', async (_what, choose) => {
  await using pool = openPool();
  await render(await pool.lease());
  const killed = choose(await find(isZygote));
  expect(killed.length).toBeGreaterThan(0);
  // With a zygote go those below it.
  for (const { pid } of killed) signalProcess(pid, 'SIGKILL');
  await until(async () => (await find(({ pid }) => killed.some((each) => each.pid === pid))).length === 0);
  for (let turn = 0; turn < 3; turn++) await render(await pool.lease());
  expect(pool.pool.status()).toMatchObject({ restarts: 1, degraded: false });
});

test.runIf(process.platform === 'linux')(
  'a browser in which pages crash as they open is renewed by itself; those that it has live on',
  async () => {
    await using pool = openPool();
    const before = await pool.lease();
    await before.tab.page.goto('data:text/html,<h1>before');
    // Renderers inherit it, and crash as they start.
    for (const { pid } of await find(isSandboxedZygote)) await limitMemory(pid);
    await expect(pool.lease()).rejects.toMatchObject({ code: 'page_crashed' });
    await until(() => pool.pool.status().degraded);
    await until(() => !pool.pool.status().degraded);
    await render(await pool.lease());
    expect(await before.tab.page.evaluate(() => document.body.textContent)).toBe('before');
    expect(pool.pool.status().restarts).toBe(0);
  },
);

test('a pool is degraded while its browser cannot be started, and recovers by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // The browser runs as another user.
  await chmod(folder, 0o755);
  const [path, away] = [join(folder, 'browser'), join(folder, 'away')];
  await symlink(browserFor(await findBrowsers(), 'shell')?.path ?? '', path);
  await using pool = openPool({ browserPath: path });
  await render(await pool.lease());
  await rename(path, away);
  // The one that runs serves on.
  await render(await pool.lease());
  expect(pool.pool.status().degraded).toBe(false);
  for (const { pid } of await find(({ command }) => !command.includes('--type='))) process.kill(pid, 'SIGKILL');
  await until(() => pool.pool.status().degraded);
  await expect(pool.lease()).rejects.toMatchObject({ code: 'browser_unavailable' });
  await rename(away, path);
  await until(() => !pool.pool.status().degraded);
  await render(await pool.lease());
});

test('a pool whose browser has not been started yet is not degraded', async () => {
  await using pool = openPool();
  expect(pool.pool.status().degraded).toBe(false);
});
