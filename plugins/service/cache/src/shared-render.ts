import { callOnAbort, PlatenError, untilAborted } from '@platen/kernel';

/** Work that several clients wait for (single-flight). It is canceled when the last client disconnects before the end. */
export interface SharedRender<T> {
  /** The result, once available. */
  readonly response: T | undefined;
  /** False once canceled: new clients need another render. */
  readonly isOpen: boolean;
  /** Waits for the result. Rejects with its error, or with the reason of the signal. */
  join(signal: AbortSignal): Promise<SharedRenderClient<T>>;
}

/** A waiting client, until it leaves or its signal aborts. */
export interface SharedRenderClient<T> {
  readonly response: T;
  leave(): void;
}

/** Starts the work. `isDone`: the result no longer needs the signal. */
export function createSharedRender<T>(work: (signal: AbortSignal) => Promise<T>, isDone: (response: T) => boolean): SharedRender<T> {
  const controller = new AbortController();
  let response: T | undefined;
  let members = 0;
  const outcome = work(controller.signal).then((value) => (response = value));
  outcome.catch(() => undefined);

  const addMember = (signal: AbortSignal): (() => void) => {
    let isMember = true;
    members += 1;
    const leave = () => {
      if (!isMember) return;
      isMember = false;
      signal.removeEventListener('abort', leave);
      members -= 1;
      if (members > 0 || (response !== undefined && isDone(response))) return;
      controller.abort(signal.aborted ? signal.reason : new PlatenError('client_closed', 'all clients have disconnected'));
    };
    callOnAbort(signal, leave);
    return leave;
  };

  return {
    get response() {
      return response;
    },
    get isOpen() {
      return !controller.signal.aborted;
    },
    async join(signal) {
      const leave = addMember(signal);
      try {
        return { response: await untilAborted(outcome, signal), leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
