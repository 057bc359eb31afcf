import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { createAdmission } from './admit.js';
import { createMemoryGuard } from './memory-guard.js';

const MIB = 1024 ** 2;
/** A single capture is not one of many: it may have what the host has. */
const COMMAND_LINE = 'command line';

/** How many renders there may be at once, and how much memory they leave. */
export default definePlugin({
  name: 'limits',
  flags: {
    'server-max-concurrency': {
      type: 'integer',
      description:
        'Renders at once; past that 429, or with --server-queue-requests a queue. Without it no render is refused, and each waits for a browser page.',
      minimum: 1,
      maximum: 100_000,
      'x-tier': 'enterprise',
    },
    'server-queue-requests': {
      type: 'boolean',
      description: 'Queue requests at --server-max-concurrency, ten times as many as may run, instead of answering 429 at once.',
      default: false,
      'x-tier': 'enterprise',
    },
    'server-memory-reserve': {
      type: 'integer',
      description:
        "MiB of the host's or the container's memory that stay free: new renders get 503 while there is less. The default is a twentieth of it, at most 512; 0 switches this off.",
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
        log.warn({ available_mib: Math.floor(available / MIB) }, 'too little memory is left: new renders are refused');
      },
    });
    hooks.start.tap('limits', () => {
      if (queue && cap === undefined) log.warn({}, '--server-queue-requests has no effect without --server-max-concurrency');
    });
    hooks.admit.tapPromise('limits', async (call) => {
      if (call.endpoint === COMMAND_LINE) return undefined;
      await memory.assertRoom();
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
