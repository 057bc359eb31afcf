// Processor time of a process and all below it, those included that end meanwhile.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { familyOf } from './measure.mjs';

/** Milliseconds of processor time in a clock tick of /proc (USER_HZ is 100 on Linux). */
const TICK_MS = 10;
const LOOK_MS = 250;

/**
 * Milliseconds of processor time, by kind of process, that the tree takes until the work is done. Processes that end between two looks lose
 * what they took since the last one; renderers do not, since their zygote has reaped them.
 */
export async function measureTree(root, work) {
  const seen = new Map();
  await lookAtTree(root, seen);
  const before = sumOf(seen);
  const done = new AbortController();
  const looking = (async () => {
    while (!done.signal.aborted) {
      await delay(LOOK_MS, undefined, { signal: done.signal }).catch(() => undefined);
      await lookAtTree(root, seen);
    }
  })();
  const result = await work();
  done.abort();
  await looking;
  const after = sumOf(seen);
  const times = Object.fromEntries(Object.keys(after).map((kind) => [kind, (after[kind] - (before[kind] ?? 0)) * TICK_MS]));
  return { result, times };
}

async function lookAtTree(root, seen) {
  const living = new Map(
    (await Promise.all((await familyOf(root)).map(lookAt))).filter((one) => one !== undefined).map((one) => [one.pid, one]),
  );
  for (const [pid, { parent }] of seen) if (!living.has(pid) && living.get(parent)?.kind === 'renderers') seen.delete(pid);
  for (const [pid, one] of living) seen.set(pid, one);
}

function sumOf(seen) {
  const sums = { node: 0, browser: 0, renderers: 0, gpu: 0, network: 0 };
  for (const { kind, ticks } of seen.values()) sums[kind] += ticks;
  return sums;
}

const KINDS = { 'gpu-process': 'gpu', utility: 'network', zygote: 'renderers', renderer: 'renderers' };

async function lookAt(pid) {
  try {
    const [stat, command] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile(`/proc/${pid}/cmdline`, 'utf8')]);
    const fields = stat
      .slice(stat.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number);
    const type = /--type=([\w-]+)/.exec(command)?.[1];
    const kind = KINDS[type] ?? (/\bnode\0/.test(command) ? 'node' : 'browser');
    const [parent] = fields;
    return { pid, parent, kind, ticks: fields[10] + fields[11] + (type === 'zygote' ? fields[12] + fields[13] : 0) };
  } catch {
    return undefined;
  }
}
