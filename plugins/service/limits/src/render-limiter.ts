import { PlatenError } from '@platen/kernel';

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

/** Timers take 31 bits; a longer timeout means none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createRenderLimiter({ cap, longestQueue, onFreed }: RenderLimiterOptions): RenderLimiter {
  /** In order of arrival. */
  const queue = new Set<() => void>();
  let taken = 0;

  const free = () => {
    const [next] = queue;
    if (next === undefined) {
      taken -= 1;
      return;
    }
    // The slot passes directly to the next in the queue, so that a new request cannot take it first.
    queue.delete(next);
    next();
  };
  const hold = (): Disposable => {
    const since = performance.now();
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        onFreed(performance.now() - since);
        free();
      },
    };
  };
  return {
    get taken() {
      return taken;
    },
    get waiting() {
      return queue.size;
    },
    async enter(entrant, refuse) {
      entrant.signal.throwIfAborted();
      if (taken < cap) {
        taken += 1;
        return hold();
      }
      if (queue.size >= longestQueue) throw refuse();
      await waitForTurn(queue, entrant);
      return hold();
    },
  };
}

/** Resolves at the head of the queue. Rejects and leaves the queue when the signal aborts or the timeout expires. */
function waitForTurn(queue: Set<() => void>, { signal, timeoutMs }: QueuedRender): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (reason: unknown) => {
      settle();
      queue.delete(enter);
      reject(reason instanceof Error ? reason : new PlatenError('client_closed', 'the client disconnected', { cause: reason }));
    };
    const enter = () => {
      settle();
      resolve();
    };
    const onAbort = () => {
      leave(signal.reason);
    };
    const timer = startTimer(timeoutMs, leave);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    queue.add(enter);
  });
}

function startTimer(timeoutMs: number | null, leave: (reason: PlatenError) => void): NodeJS.Timeout | undefined {
  if (timeoutMs === null || timeoutMs > LONGEST_TIMER_MS) return undefined;
  return setTimeout(() => {
    const seconds = String(timeoutMs / 1000);
    leave(
      new PlatenError('render_timeout', `the render did not start within ${seconds} s: it was in phase "queue"`, {
        phase: 'queue',
        retryable: true,
      }),
    );
  }, timeoutMs);
}
