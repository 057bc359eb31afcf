import type { ServerResponse } from 'node:http';
import { Changes, type PlatenError, withTimeout } from '@platen/kernel';
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
  const emptied = new Changes();
  return {
    add(state, response) {
      open.add(state);
      if (response !== undefined) answering.set(response, state);
    },
    of: (response) => answering.get(response),
    delete(state) {
      open.delete(state);
      if (open.size === 0) emptied.notify();
    },
    endpoints: () => [...open].map(({ endpoint }) => endpoint),
    abort(reason) {
      for (const { controller } of open) controller.abort(reason);
    },
    async idle(withinMs) {
      if (open.size > 0) await withTimeout(emptied.next(), withinMs);
    },
  };
}
