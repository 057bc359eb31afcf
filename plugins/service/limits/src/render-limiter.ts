import { ConcurrencyLimiter, LONGEST_TIMER_MS, PlatenError } from '@platen/kernel';

/** A render that waits for a slot. */
export interface QueuedRender {
  /** Aborted when the client disconnects: the render leaves the queue immediately. */
  readonly signal: AbortSignal;
  /** The timeout of the whole request, including the wait, in milliseconds; null: none. */
  readonly timeoutMs: number | null;
}

/** Limits concurrent renders and queues the others in order. */
export interface RenderLimiter {
  readonly taken: number;
  readonly waiting: number;
  /**
   * Resolves with a slot, first come first served. Disposing it twice frees it once.
   * Rejects with the error of `refuse` if the queue is full, with the signal's reason, or with `render_timeout`.
   */
  enter(entrant: QueuedRender, refuse: () => PlatenError): Promise<Disposable>;
}

export interface RenderLimiterOptions {
  /** Number of slots. */
  readonly cap: number;
  /** Maximum queue length; 0: no queue. */
  readonly longestQueue: number;
  /** Called with the milliseconds for which a slot was taken. */
  onFreed(heldMs: number): void;
}

export function createRenderLimiter({ cap, longestQueue, onFreed }: RenderLimiterOptions): RenderLimiter {
  const limiter = new ConcurrencyLimiter(cap);
  const hold = (release: () => void): Disposable => {
    const since = performance.now();
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        onFreed(performance.now() - since);
        release();
      },
    };
  };
  return {
    get taken() {
      return limiter.busy;
    },
    get waiting() {
      return limiter.waiting;
    },
    async enter({ signal, timeoutMs }, refuse) {
      signal.throwIfAborted();
      if (limiter.busy >= cap && limiter.waiting >= longestQueue) throw refuse();
      const late = new AbortController();
      const timer = startTimer(timeoutMs, (reason) => {
        late.abort(reason);
      });
      try {
        return hold(await limiter.acquire(AbortSignal.any([signal, late.signal])));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function startTimer(timeoutMs: number | null, expire: (reason: PlatenError) => void): NodeJS.Timeout | undefined {
  if (timeoutMs === null || timeoutMs > LONGEST_TIMER_MS) return undefined;
  return setTimeout(() => {
    const seconds = String(timeoutMs / 1000);
    expire(
      new PlatenError('render_timeout', `the render did not start within ${seconds} s: it was in phase "queue"`, {
        phase: 'queue',
        retryable: true,
      }),
    );
  }, timeoutMs);
}
