import { isPlatenError, type Kernel, type Logger } from '@platen/kernel';
import type { Server } from '../http/create-server.js';

export interface BrowserStart {
  readonly kernel: Pick<Kernel, 'start'>;
  readonly server: Pick<Server, 'hooks'>;
  readonly log: Logger;
  /** Aborted when the server stops. */
  readonly stop: AbortSignal;
}

/**
 * Starts the browser ahead of the first render, unless a plugin leaves it to that render. A server without a browser still responds, and
 * reports the missing browser: with the first render, and here.
 */
export function startBrowser({ kernel, server, log, stop }: BrowserStart): void {
  if (server.hooks.startBrowser.call() === false) return;
  kernel.start().catch((error: unknown) => {
    // The end of the input of `platen mcp` stops the server without a signal.
    const isStopping = stop.aborted || (isPlatenError(error) && error.code === 'draining');
    if (!isStopping) log.error({ err: error }, 'the browser does not start');
  });
}
