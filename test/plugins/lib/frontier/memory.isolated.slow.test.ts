import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openTemporaryFolder } from './open-temporary.js';

const PROCESS = fileURLToPath(new URL('./frontier-process.mjs', import.meta.url));
const MIB = 2 ** 20;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

interface Report {
  readonly added: readonly number[];
  readonly counts: object;
  /** The peaks up to 20,000 URLs, and in all. */
  readonly early: Memory;
  readonly late: Memory;
}

async function fill(count: number, hosts: number): Promise<Report> {
  await using temporary = await openTemporaryFolder();
  const filler = fork(PROCESS, [temporary.folder, 'fill', String(count), String(hosts)], { execArgv: ['--expose-gc'] });
  // Sent by that process.
  const [report] = (await once(filler, 'message')) as [Report];
  await once(filler, 'exit');
  return report;
}

it('100,000 URLs take no more memory than 20,000, offered twice', async () => {
  const { added, counts, early, late } = await fill(100_000, 10);
  expect(added).toEqual([100_000, 0]);
  expect(counts).toEqual({ queued: 99_000, claimed: 0, done: 1000, failed: 0 });
  expect((late.heap - early.heap) / MIB).toBeLessThan(16);
  expect((late.rss - early.rss) / MIB).toBeLessThan(48);
});

it('50,000 hosts take less than 1 KiB each', async () => {
  const { early, late } = await fill(50_000, 50_000);
  expect((late.heap - early.heap) / 30_000).toBeLessThan(1024);
});
