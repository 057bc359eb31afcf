import { PlatenError } from '@platen/kernel';

/** Who wants to come in. */
export interface QueuedRender {
  /** Aborted when nobody waits any more: its place in the queue is given up at once. */
  readonly signal: AbortSignal;
  /** The request's whole time, which its waiting is part of; null: it waits as long as it must. */
  readonly timeoutMs: number | null;
}

/** So many at once, and the others one behind the other. */
export interface RenderLimiter {
  readonly taken: number;
  readonly waiting: number;
  /**
   * Resolves with a slot, in the order of asking. Disposing it twice frees it once.
   * Rejects with what `refuse` answers where the queue is full, with the signal's reason, or with `render_timeout`.
   */
  enter(entrant: QueuedRender, refuse: () => PlatenError): Promise<Disposable>;
}

export interface RenderLimiterOptions {
  /** Slots. */
  readonly cap: number;
  /** The most that wait; 0: nobody does. */
  readonly longestQueue: number;
  /** Told for how many milliseconds a slot was taken. */
  onFreed(heldMs: number): void;
}

/** Timers hold 31 bits; beyond that a timeout means none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createRenderLimiter({ cap, longestQueue, onFreed }: RenderLimiterOptions): RenderLimiter {
  /** In the order of asking. */
  const queue = new Set<() => void>();
  let taken = 0;

  const free = () => {
    const [next] = queue;
    if (next === undefined) {
      taken -= 1;
      return;
    }
    // The slot changes hands: it is never free in between, so nobody who asks now gets it first.
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

/** Resolves when it is called from the queue's head; rejects, and leaves the queue, when nobody waits any more or time is up. */
function waitForTurn(queue: Set<() => void>, { signal, timeoutMs }: QueuedRender): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (reason: unknown) => {
      settle();
      queue.delete(enter);
      reject(reason instanceof Error ? reason : new PlatenError('client_closed', 'the client left', { cause: reason }));
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
      new PlatenError('render_timeout', `the render did not begin within ${seconds} s: it was in phase "queue"`, {
        phase: 'queue',
        retryable: true,
      }),
    );
  }, timeoutMs);
}
