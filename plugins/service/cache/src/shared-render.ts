import { PlatenError, untilAborted } from '@platen/kernel';

/** Work that several wait for. It is ended when the last of them leaves before it is done. */
export interface SharedRender<T> {
  /** What came of it, once it has. */
  readonly landed: T | undefined;
  /** False once it was ended: who comes now needs another. */
  readonly isOpen: boolean;
  /** Waits for what comes of it; rejects with its failure, or with the signal's reason. */
  join(signal: AbortSignal): Promise<SharedRenderClient<T>>;
}

/** One of those who wait. Who has joined is a member until it leaves, or its signal aborts. */
export interface SharedRenderClient<T> {
  readonly landed: T;
  leave(): void;
}

/** Begins the work. `isDone` says whether what came of it needs its signal no longer. */
export function createSharedRender<T>(work: (signal: AbortSignal) => Promise<T>, isDone: (landed: T) => boolean): SharedRender<T> {
  const controller = new AbortController();
  let landed: T | undefined;
  let members = 0;
  const outcome = work(controller.signal).then((value) => (landed = value));
  outcome.catch(() => undefined);

  const enrol = (signal: AbortSignal): (() => void) => {
    let isMember = true;
    members += 1;
    const leave = () => {
      if (!isMember) return;
      isMember = false;
      signal.removeEventListener('abort', leave);
      members -= 1;
      if (members > 0 || (landed !== undefined && isDone(landed))) return;
      controller.abort(signal.aborted ? signal.reason : new PlatenError('client_closed', 'nobody waits for it any more'));
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return leave;
  };

  return {
    get landed() {
      return landed;
    },
    get isOpen() {
      return !controller.signal.aborted;
    },
    async join(signal) {
      const leave = enrol(signal);
      try {
        return { landed: await untilAborted(outcome, signal), leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
