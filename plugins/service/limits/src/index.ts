import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { createAdmission } from './admit.js';
import { createMemoryGuard } from './memory-guard.js';

const MIB = 1024 ** 2;
/** Concurrency and memory limits apply to servers, not to a single render. */
const COMMAND_LINE = 'command line';
/** Jobs of other servers: `--cluster-concurrency` limits them. */
const CLUSTER = 'cluster';

/** Limits the number of concurrent renders and the memory that they use. */
export default definePlugin({
  name: 'limits',
  flags: {
    'server-max-concurrency': {
      type: 'integer',
      description:
        'Maximum number of concurrent renders. Further requests get 429, or are queued with --server-queue-requests. By default no render is refused; each waits for a free browser page.',
      minimum: 1,
      maximum: 100_000,
      'x-tier': 'enterprise',
    },
    'server-queue-requests': {
      type: 'boolean',
      description:
        'Queue requests beyond --server-max-concurrency instead of returning 429 immediately. The queue holds ten times that number.',
      default: false,
      'x-tier': 'enterprise',
    },
    'server-memory-reserve': {
      type: 'integer',
      description:
        'MiB of memory (of the host or the container) to keep free: new renders get 503 while less is available. Default: a twentieth of the memory, at most 512. 0: off.',
      minimum: 0,
      maximum: 16_777_216,
    },
  },
  serve({ hooks }, { options, log }) {
    const cap = options['server-max-concurrency'];
    const queue = options['server-queue-requests'] === true;
    const reserve = options['server-memory-reserve'];
    const admission = cap === undefined ? undefined : createAdmission({ cap, queue });
    const memory = createMemoryGuard({
      reserve: reserve === undefined ? undefined : reserve * MIB,
      onLow({ available }) {
        log.warn({ available_mib: Math.floor(available / MIB) }, 'memory is low: new renders are refused');
      },
    });
    hooks.start.tap('limits', () => {
      if (queue && cap === undefined) log.warn({}, '--server-queue-requests has no effect without --server-max-concurrency');
    });
    hooks.admit.tapPromise('limits', async (call) => {
      if (call.endpoint === COMMAND_LINE) return undefined;
      await memory.assertRoom();
      if (call.endpoint === CLUSTER) return undefined;
      const slot = await admission?.admit(call);
      try {
        // It may have waited long.
        await memory.assertRoom();
      } catch (error) {
        slot?.[Symbol.dispose]();
        throw error;
      }
      return slot;
    });
    if (admission === undefined) return;
    const { limiter } = admission;
    hooks.status.tap('limits', (report) => ({
      ...report,
      in_flight: limiter.taken,
      queued: report.queued + limiter.waiting,
      max_concurrency: admission.cap,
    }));
  },
});
