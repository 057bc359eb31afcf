import type { ServerResponse } from 'node:http';
import type { PlatenError } from '@platen/kernel';
import type { Exchange } from './exchange.js';

/** The exchanges under way. */
export interface OpenExchanges {
  add(exchange: Exchange, response: ServerResponse): void;
  /** The one that the response answers. */
  of(response: ServerResponse): Exchange | undefined;
  delete(exchange: Exchange): void;
  /** The endpoint of each. */
  endpoints(): readonly string[];
  /** Ends the work behind all of them with the given error. */
  abort(reason: PlatenError): void;
  /** Resolves once none is left, or after the given milliseconds. */
  idle(withinMs: number): Promise<void>;
}

export function createOpenExchanges(): OpenExchanges {
  const open = new Set<Exchange>();
  const answering = new WeakMap<ServerResponse, Exchange>();
  const waiting = new Set<() => void>();
  return {
    add(exchange, response) {
      open.add(exchange);
      answering.set(response, exchange);
    },
    of: (response) => answering.get(response),
    delete(exchange) {
      open.delete(exchange);
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
