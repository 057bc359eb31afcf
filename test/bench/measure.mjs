// Measuring: percentiles, rates, and the memory of a process tree.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values) => percentile(values, 0.5);

/** What a lone request finds: a server that has been idle for a moment. */
const IDLE_MS = 150;

/** Renders alone, one after another with a pause between; milliseconds each. */
export async function latencies(subject, url, count) {
  const times = [];
  const timings = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    const { timing } = await subject.render(url);
    times.push(performance.now() - started);
    timings.push(timing);
    await delay(IDLE_MS);
  }
  return { times, timings };
}

/** Renders a second with so many clients at once. */
export async function rate(subject, url, { clients, count }) {
  let left = count;
  const started = performance.now();
  const client = async () => {
    while (left > 0) {
      left -= 1;
      await subject.render(url);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (count * 1000) / (performance.now() - started);
}

/** Proportional set size of a process and all below it, in MiB. */
export async function treeMemory(root) {
  const sizes = await Promise.all((await familyOf(root)).map(pss));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** A process and all below it, by their ids. */
export async function familyOf(root) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(
    (await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)]))).filter(([, parent]) => parent !== undefined),
  );
  const below = (pid) => {
    for (let at = pid; at !== undefined && at !== 0; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(below);
}

async function parentOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = / (\d+)/.exec(stat.slice(stat.lastIndexOf(')') + 3));
  return parent === null ? undefined : Number(parent[1]);
}

async function pss(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
}

const TICKS_PER_SECOND = 100;

/** Processor time of the processes themselves, without those below them. */
export async function processorMs(pids) {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(fields[11]) + Number(fields[12]);
    }),
  );
  return (ticks.reduce((sum, each) => sum + each, 0) * 1000) / TICKS_PER_SECOND;
}
