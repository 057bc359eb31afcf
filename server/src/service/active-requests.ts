import type { ServerResponse } from 'node:http';
import type { PlatenError } from '@platen/kernel';
import type { RequestState } from './request-state.js';

/** The exchanges in progress. */
export interface ActiveRequests {
  /** A render that a plugin requested has no response. */
  add(state: RequestState, response?: ServerResponse): void;
  /** The request that the response belongs to. */
  of(response: ServerResponse): RequestState | undefined;
  delete(state: RequestState): void;
  /** The endpoint of each active request. */
  endpoints(): readonly string[];
  /** Aborts all active requests with the given error. */
  abort(reason: PlatenError): void;
  /** Resolves once none is active, or after the given milliseconds. */
  idle(withinMs: number): Promise<void>;
}

export function createActiveRequests(): ActiveRequests {
  const open = new Set<RequestState>();
  const answering = new WeakMap<ServerResponse, RequestState>();
  const waiting = new Set<() => void>();
  return {
    add(state, response) {
      open.add(state);
      if (response !== undefined) answering.set(response, state);
    },
    of: (response) => answering.get(response),
    delete(state) {
      open.delete(state);
      if (open.size === 0) for (const wake of waiting) wake();
    },
    endpoints: () => [...open].map(({ endpoint }) => endpoint),
    abort(reason) {
      for (const { controller } of open) controller.abort(reason);
    },
    idle(withinMs) {
      if (open.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, withinMs);
        waiting.add(wake);
      });
    },
  };
}
