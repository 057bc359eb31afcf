import { createHmac } from 'node:crypto';
import { ConcurrencyLimiter, drainingError, type Logger, type Outbound, OutboundError, PlatenError } from '@platen/kernel';
import type { DeferrableCall } from '@platen/server';
import { describeJob, type JobRecord, type JobWebhook } from './job.js';
import type { JobStore } from './job-store.js';

/** Reports ended jobs as Standard Webhooks (https://www.standardwebhooks.com). */
export interface WebhookSender {
  /** Sends the message of a job that has ended, until it is delivered or all attempts have failed. */
  send(job: JobRecord): void;
  /** Ends requests in progress: the next start sends their messages again. */
  stop(): Promise<void>;
}

export interface WebhookParts {
  readonly store: JobStore;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly log: Logger;
  /** Of `--server-webhook-url`. */
  readonly url: string | undefined;
  /** `whsec_...`; each of them signs. */
  readonly secrets: readonly string[];
  readonly lifetimeMs: number;
  /** Milliseconds between the attempts. */
  readonly delaysMs?: readonly number[];
}

const DELAYS_MS = [5_000, 30_000, 120_000, 600_000];
const TIMEOUT_MS = 15_000;
const CONCURRENT = 8;
const GONE = 410;

export function createWebhookSender(parts: WebhookParts): WebhookSender {
  const { store, log, delaysMs = DELAYS_MS } = parts;
  const limiter = new ConcurrencyLimiter(CONCURRENT);
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const sending = new Set<Promise<void>>();

  const attempt = async (job: JobRecord, webhook: JobWebhook) => {
    const release = await limiter.acquire(stopping.signal);
    const failure = await post(job, webhook, { ...parts, signal: stopping.signal }).finally(release);
    const attempts = webhook.attempts + 1;
    const delay = failure === undefined || failure.isFinal ? undefined : delaysMs[attempts - 1];
    if (failure !== undefined) log.warn({ request: job.requestId, attempts, reason: failure.reason }, 'a webhook was not delivered');
    const outcome = failure === undefined ? 'delivered' : 'failed';
    const next: Partial<JobWebhook> = delay === undefined ? { outcome } : { nextAt: Date.now() + jitter(delay) };
    await store.update(job.id, { webhook: { ...webhook, attempts, ...next } });
    const updated = store.jobs.get(job.id);
    if (updated !== undefined && delay !== undefined) send(updated);
  };
  const send = (job: JobRecord) => {
    const { webhook } = job;
    if (webhook === undefined || webhook.outcome !== undefined || stopping.signal.aborted) return;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        const over = attempt(job, webhook)
          .catch((error: unknown) => {
            if (!stopping.signal.aborted) log.error({ err: error }, 'a webhook could not be sent');
          })
          .finally(() => sending.delete(over));
        sending.add(over);
      },
      Math.max(0, (webhook.nextAt ?? 0) - Date.now()),
    ).unref();
    timers.add(timer);
  };
  return {
    send,
    async stop() {
      stopping.abort(drainingError());
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(sending);
    },
  };
}

/** Receivers that were unavailable together are not asked together. */
function jitter(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}

interface Failure {
  /** For the log. */
  readonly reason: string;
  /** Another attempt would fail too. */
  readonly isFinal: boolean;
}

type Posting = WebhookParts & { readonly signal: AbortSignal };

async function post(job: JobRecord, { url }: JobWebhook, { outbound, lifetimeMs, signal, ...own }: Posting): Promise<Failure | undefined> {
  const target = url ?? own.url;
  if (target === undefined) return { reason: '--server-webhook-url is no longer set', isFinal: true };
  const id = `msg_${job.id}`;
  const body = JSON.stringify({
    type: `job.${job.state}`,
    timestamp: new Date(job.endedAt ?? 0).toISOString(),
    data: describeJob(job, lifetimeMs),
  });
  try {
    const { status } = await outbound.fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signatureHeaders({ id, body, secrets: own.secrets }) },
      body,
      wantsBody: () => false,
      maxBytes: 0,
      maxRedirects: 0,
      timeoutMs: TIMEOUT_MS,
      signal,
      namedByOperator: url === undefined,
    });
    return status >= 200 && status < 300 ? undefined : { reason: `status ${String(status)}`, isFinal: status === GONE };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // Its message contains the URL, which may be a secret.
    return { reason: error.reason, isFinal: error.reason === 'blocked' || error.reason === 'scheme' };
  }
}

interface Message {
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** The headers of Standard Webhooks 1.0: the time is that of the attempt. */
function signatureHeaders({ id, body, secrets }: Message): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  const signature = secrets.map((secret) => `v1,${sign(secret)}`).join(' ');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, ...(signature === '' ? {} : { 'webhook-signature': signature }) };
}

/** Longest URL of a webhook, in characters. */
const MAX_URL = 2000;

/**
 * The webhook of a new job: by its header `Webhook-URL`, else by the flag.
 *
 * @throws PlatenError `malformed_request` for an invalid header
 */
export function chooseWebhook({ requestHeader }: Pick<DeferrableCall, 'requestHeader'>, flag: string | undefined): JobWebhook | undefined {
  const text = requestHeader('Webhook-URL');
  if (text === '') return flag === undefined ? undefined : { attempts: 0 };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isAllowed || url.username !== '' || url.password !== '' || url.href.length > MAX_URL) {
    throw new PlatenError(
      'malformed_request',
      `the header "Webhook-URL" must be an https URL without user and password (http for a loopback host), of at most ${String(MAX_URL)} characters`,
    );
  }
  return { url: url.href, attempts: 0 };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
