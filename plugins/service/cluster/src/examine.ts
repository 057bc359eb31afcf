import { isPlatenError } from '@platen/kernel';
import type { ReportFinding } from '@platen/server';
import { inspectQueue } from './queue.js';

/** The oldest version that BullMQ recommends; every Valkey is newer. */
const OLDEST = [6, 2] as const;
const FIX = 'correct --cluster-queue, or start Redis or Valkey there';

/** For `platen doctor`: whether the queue can be reached, and keeps what it is given. */
export async function examine(url: string, report: ReportFinding): Promise<void> {
  const facts = { flag: 'cluster-queue' };
  try {
    const started = performance.now();
    const { name, version, policy } = await inspectQueue(url);
    const milliseconds = Math.round(performance.now() - started);
    const found = { id: 'queue', facts: { ...facts, milliseconds, version: version ?? null, maxmemory_policy: policy ?? null } };
    const text = `${name} replied in ${String(milliseconds)} ms`;
    if (isOld(version)) {
      report({ ...found, state: 'missing', text: `${text}: it is too old`, fix: `install Redis ${OLDEST.join('.')} or later, or Valkey` });
    } else if (policy !== undefined && policy !== 'noeviction') {
      const risk = `${text}; its maxmemory-policy is ${policy}, so that it may drop jobs when its memory is full`;
      report({ ...found, state: 'remark', text: risk, fix: 'redis-cli CONFIG SET maxmemory-policy noeviction' });
    } else report({ ...found, state: 'ok', text });
  } catch (error) {
    const text = isPlatenError(error) ? error.message : 'the queue could not be checked';
    report({ id: 'queue', state: 'missing', text, fix: FIX, facts });
  }
}

function isOld(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? OLDEST.join('.')).split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}
