import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { joinCluster } from './join-cluster.js';
import { DEFAULTS, readSettings } from './settings.js';

const NAME = 'cluster';

/** Renders on other machines: a queue carries the jobs, and results stream from the worker to the front that waits for them. */
export default definePlugin({
  name: NAME,
  flags: {
    'cluster-queue': {
      type: 'string',
      pattern: '^rediss?://',
      description:
        'Share renders with other servers over this queue: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], rediss:// for TLS, or @FILE. Redis 6.2 or later, or Valkey.',
      examples: ['redis://10.0.0.2:6379', '@/run/secrets/queue'],
      'x-secret': true,
      'x-expects': 'a URL of the form redis:// or rediss://',
    },
    'cluster-role': {
      type: 'string',
      enum: ['front', 'worker', 'both'],
      default: DEFAULTS['cluster-role'],
      description:
        'front: has all renders carried out by workers; worker: carries out the renders of fronts, and those requested from itself; both: a front that is also a worker.',
    },
    'cluster-address': {
      type: 'string',
      pattern: '^https?://',
      description:
        'URL at which workers reach this front. Required if it listens on all addresses or on a Unix socket. Default: its bind address and port.',
      examples: ['http://10.0.0.5:3000'],
    },
    'cluster-concurrency': {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'Jobs that this worker renders concurrently. Default: --browser-concurrency.',
    },
    'cluster-queue-limit': {
      type: 'integer',
      minimum: 1,
      maximum: 10_000_000,
      description: 'Queued jobs of all fronts beyond which this front responds with 429. Default: no limit.',
    },
    'cluster-name': {
      type: 'string',
      pattern: '^[\\w-]{1,64}$',
      default: DEFAULTS['cluster-name'],
      description: 'Name of the cluster, if several share a Redis.',
      'x-expects': 'letters, digits, "_" and "-"',
    },
    'cluster-lock': {
      type: 'integer',
      minimum: 1,
      maximum: 300,
      default: DEFAULTS['cluster-lock'],
      description: 'Seconds after which the job of a worker that was lost may begin again on another; it does within 1.5 times as many.',
    },
  },
  serve(server, { options, log, outbound }) {
    const { hooks } = server;
    hooks.check.tap(NAME, () => void readSettings(options, server.flags));
    hooks.examine.tapPromise(NAME, async (report) => {
      const settings = readSettings(options, server.flags);
      if (settings === undefined) return;
      const { examine } = await import('./examine.js');
      await examine(settings.url, report);
    });
    const isFront = options['cluster-queue'] !== undefined && options['cluster-role'] !== 'worker';
    joinCluster(server, { name: NAME, isFront, settings: () => readSettings(options, server.flags), log, outbound });
  },
});
