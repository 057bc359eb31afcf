import { isPlatenError, PlatenError } from '@platen/kernel';
import type { RenderCall } from '@platen/server';
import { createRenderLimiter, type RenderLimiter } from './render-limiter.js';

/** Weight of the latest render: about the last dozen count. */
const WEIGHT = 0.15;

/** Assumed milliseconds before the first render has finished. */
const FIRST_GUESS_MS = 1_000;

const LONGEST_S = 600;

/** The limit of concurrent renders, with an optional queue. */
export interface Admission {
  readonly limiter: Pick<RenderLimiter, 'taken' | 'waiting'>;
  readonly cap: number;
  /** Resolves with a slot; rejects with `too_many_requests`, `render_timeout` or the reason of the call's signal. */
  admit(call: Pick<RenderCall, 'plan' | 'signal' | 'header'>): Promise<Disposable>;
}

/** Queued renders per slot. Beyond that, responses would come too late for their clients. */
export const QUEUE_PER_SLOT = 10;

export function createAdmission({ cap, queue }: { readonly cap: number; readonly queue: boolean }): Admission {
  const longestQueue = queue ? cap * QUEUE_PER_SLOT : 0;
  const average = createRenderTimeAverage();
  const limiter = createRenderLimiter({
    cap,
    longestQueue,
    onFreed(heldMs) {
      average.note(heldMs);
    },
  });
  const setRateLimitHeaders = (header: RenderCall['header'], seconds?: number) => {
    for (const [name, value] of Object.entries(rateLimitHeaders({ cap, taken: limiter.taken }, seconds))) header(name, value);
  };
  return {
    limiter,
    cap,
    async admit({ plan: { timeoutMs }, signal, header }) {
      const reportWait = () => {
        const seconds = average.secondsUntilFree(cap, limiter.waiting);
        setRateLimitHeaders(header, seconds);
        return seconds;
      };
      const refuse = () => new PlatenError('too_many_requests', sayFull(cap, longestQueue), { retryable: true, retry_after: reportWait() });
      const slot = await limiter.enter({ signal, timeoutMs }, refuse).catch((error: unknown) => {
        // The request waited in vain: suggest a later retry.
        if (isPlatenError(error) && error.code === 'render_timeout') header('Retry-After', String(reportWait()));
        throw error;
      });
      setRateLimitHeaders(header);
      return slot;
    },
  };
}

function sayFull(cap: number, longestQueue: number): string {
  const running = `${String(cap)} ${cap === 1 ? 'render is' : 'renders are'} in progress`;
  return `${running}${longestQueue === 0 ? '' : ` and ${String(longestQueue)} are queued`}, which is the limit of this server`;
}

/** Headers of `draft-ietf-httpapi-ratelimit-headers`: a quota of concurrent renders, not of renders per time window. */
interface RateLimit {
  readonly cap: number;
  readonly taken: number;
}

function rateLimitHeaders({ cap, taken }: RateLimit, secondsUntilFree?: number): Readonly<Record<string, string>> {
  const free = Math.max(0, cap - taken);
  return {
    'RateLimit-Policy': `"renders";q=${String(cap)};qu="concurrent-requests"`,
    RateLimit: `"renders";r=${String(free)}${secondsUntilFree === undefined ? '' : `;t=${String(secondsUntilFree)}`}`,
  };
}

/** Average duration of recent renders. */
interface RenderTimeAverage {
  note(ms: number): void;
  /** Estimated seconds until one of `slots` is free behind `ahead` other renders; 1 to 600. */
  secondsUntilFree(slots: number, ahead: number): number;
}

/** An exponential moving average. */
export function createRenderTimeAverage(): RenderTimeAverage {
  let average: number | undefined;
  return {
    note(ms) {
      average = average === undefined ? ms : average + WEIGHT * (ms - average);
    },
    secondsUntilFree(slots, ahead) {
      const seconds = (((average ?? FIRST_GUESS_MS) / 1000) * (ahead + 1)) / slots;
      return Math.min(LONGEST_S, Math.max(1, Math.ceil(seconds)));
    },
  };
}
