import { isPlatenError, PlatenError } from '@platen/kernel';
import type { RenderCall } from '@platen/server';
import { createRenderLimiter, type RenderLimiter } from './render-limiter.js';
import { createRenderTimeAverage } from './render-time-average.js';
import { rateLimitHeaders } from './rate-limit.js';

/** The cap on renders: who comes in, who waits, who is sent away. */
export interface Admission {
  readonly limiter: Pick<RenderLimiter, 'taken' | 'waiting'>;
  readonly cap: number;
  /** Resolves with the render's slot; rejects with `too_many_requests`, `render_timeout` or the reason of the call's signal. */
  admit(call: Pick<RenderCall, 'plan' | 'signal' | 'header'>): Promise<Disposable>;
}

/** So many renders may wait for each that runs: past that, an answer would come too late for who asks. */
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
        // It waited for nothing: whoever asks again does so better later.
        if (isPlatenError(error) && error.code === 'render_timeout') header('Retry-After', String(tellWhen()));
        throw error;
      });
      tell(header);
      return slot;
    },
  };
}

function sayFull(cap: number, longestQueue: number): string {
  const running = `${String(cap)} ${cap === 1 ? 'render is' : 'renders are'} under way`;
  return `${running}${longestQueue === 0 ? '' : ` and ${String(longestQueue)} wait`}, which is as many as this server takes`;
}
