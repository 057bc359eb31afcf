import { Changes, type Logger, type Outbound, PlatenError, type ServerApi, untilAborted, withTimeout } from '@platen/kernel';
import type { DeferrableCall, Deferred } from '@platen/server';
import { describeJob, hasEnded, type JobRecord } from './job.js';
import { JobStore } from './job-store.js';
import type { RoutedJobs } from './routes.js';
import { JobRunner } from './run-jobs.js';
import { chooseWebhook, createWebhookSender, type WebhookSender } from './send-webhooks.js';

/** The jobs of a server. */
export interface Jobs extends RoutedJobs {
  readonly queued: number;
  submit(call: DeferrableCall): Promise<Deferred>;
  pump(): void;
  stop(): Promise<void>;
}

export interface JobsOptions {
  readonly server: ServerApi;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly log: Logger;
  /** The folder; true: that of the user. */
  readonly where: true | string;
  readonly webhookUrl: string | undefined;
  readonly webhookSecrets: readonly string[];
  /** Of an ended job; that of its links. */
  readonly lifetimeMs: number;
}

/** Files of another format get another folder. */
const FOLDER = 'jobs-1';
const SWEEP_MS = 30_000;
/** How soon a client that waits for a job learns that the server drains. */
const DRAIN_CHECK_MS = 1_000;

interface OpenParts extends JobsOptions {
  readonly store: JobStore;
  readonly runner: JobRunner;
  readonly sender: WebhookSender;
  /** For clients that wait for the end of a job. */
  readonly ends: Changes;
}

/** Opens the folder, and continues the jobs in it. @throws PlatenError `boot_invalid_flag` if it cannot be used */
export async function openJobs(options: JobsOptions): Promise<Jobs> {
  const { server, where, webhookUrl, webhookSecrets: secrets } = options;
  const store = await openStore(options).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const text = `--server-enable-jobs: cannot store jobs in ${where === true ? "the user's cache folder" : where}: ${reason}`;
    throw new PlatenError('boot_invalid_flag', text, { cause });
  });
  const sender = createWebhookSender({ ...options, store, url: webhookUrl, secrets });
  const ends = new Changes();
  const onEnded = (job: JobRecord) => {
    sender.send(job);
    ends.notify();
  };
  const runner = new JobRunner({ ...options, server, store, onEnded });
  await runner.resume();
  return toJobs({ ...options, store, runner, sender, ends });
}

async function openStore({ server, where, log }: JobsOptions): Promise<JobStore> {
  return await JobStore.open(await server.openFolder(FOLDER, where), log);
}

function toJobs({ server, store, runner, sender, ends, lifetimeMs, webhookUrl }: OpenParts): Jobs {
  const describe = (job: JobRecord): object => {
    const { attempts, outcome } = job.webhook ?? {};
    const webhook = attempts === undefined ? undefined : { attempts, outcome };
    return { ...describeJob(job, lifetimeMs), progress: hasEnded(job) ? undefined : runner.progressOf(job.id), webhook };
  };
  const isExpired = ({ endedAt }: JobRecord) => endedAt !== undefined && endedAt + lifetimeMs <= Date.now();
  const find = (id: string) => {
    const job = store.jobs.get(id);
    return job === undefined || isExpired(job) ? undefined : job;
  };
  const sweep = () => {
    const isPending = ({ webhook }: JobRecord) => webhook !== undefined && webhook.outcome === undefined;
    for (const job of store.jobs.values()) if (isExpired(job) && !isPending(job)) void store.remove(job.id);
  };
  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  return {
    get queued() {
      return runner.queued;
    },
    async submit(call) {
      const job = await runner.submit(call, chooseWebhook(call, webhookUrl));
      return { location: server.toPublicUrl(`/jobs/${job.id}`), body: describe(job) };
    },
    find,
    describe,
    cancel: (id) => runner.cancel(id),
    async untilEnded(id, signal) {
      const isPending = () => !hasEnded(store.jobs.get(id) ?? { state: 'canceled' }) && server.status().status !== 'draining';
      while (isPending() && !signal.aborted) {
        await untilAborted(withTimeout(ends.next(), DRAIN_CHECK_MS), signal).catch(() => undefined);
      }
    },
    pump() {
      runner.pump();
    },
    async stop() {
      clearInterval(sweeping);
      await runner.stop();
      await sender.stop();
      await store.close();
    },
  };
}
