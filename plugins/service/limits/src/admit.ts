import { isPlatenError, PlatenError } from '@platen/kernel';
import type { RenderCall } from '@platen/server';
import { createRenderLimiter, type RenderLimiter } from './render-limiter.js';
import { createRenderTimeAverage } from './render-time-average.js';
import { rateLimitHeaders } from './rate-limit.js';

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
  const tell = (header: RenderCall['header'], seconds?: number) => {
    for (const [name, value] of Object.entries(rateLimitHeaders({ cap, taken: limiter.taken }, seconds))) header(name, value);
  };
  return {
    limiter,
    cap,
    async admit({ plan: { timeoutMs }, signal, header }) {
      const tellWhen = () => {
        const seconds = average.secondsUntilFree(cap, limiter.waiting);
        tell(header, seconds);
        return seconds;
      };
      const refuse = () => new PlatenError('too_many_requests', sayFull(cap, longestQueue), { retryable: true, retry_after: tellWhen() });
      const slot = await limiter.enter({ signal, timeoutMs }, refuse).catch((error: unknown) => {
        // The request waited in vain: suggest a later retry.
        if (isPlatenError(error) && error.code === 'render_timeout') header('Retry-After', String(tellWhen()));
        throw error;
      });
      tell(header);
      return slot;
    },
  };
}

function sayFull(cap: number, longestQueue: number): string {
  const running = `${String(cap)} ${cap === 1 ? 'render is' : 'renders are'} in progress`;
  return `${running}${longestQueue === 0 ? '' : ` and ${String(longestQueue)} are queued`}, which is the limit of this server`;
}
