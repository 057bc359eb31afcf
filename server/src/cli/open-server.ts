import { isPlatenError, type Kernel, type Logger, type OpenServer } from '@platen/kernel';
import { bootServer } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import type { Io } from '../boot/io.js';
import { reportBroken } from '../boot/report-broken.js';
import { assertNoMore } from '../flags/usage-error.js';
import { createServer, type Server } from '../http/create-server.js';
import { watchStopSignals } from './stop-signals.js';

/** `CommandIo.openServer`: everything of a server but its listener. Stdout belongs to the command. */
export async function openServer(args: readonly string[], io: Io, catalog: Catalog): Promise<OpenServer> {
  const boot = await bootServer(args, { ...io, stdout: io.stderr }, catalog);
  assertNoMore(boot.positionals, 'this command accepts only flags');
  reportBroken(boot, io);
  const { flags, log } = boot;
  const signals = watchStopSignals();
  const kernel = boot.createKernel();
  const server = createServer({ kernel, flags, log });
  const close = async () => {
    await server.close(0);
    await kernel.close(0);
    signals[Symbol.dispose]();
  };
  try {
    await kernel.prepare();
    await server.start();
  } catch (error) {
    await close();
    throw error;
  }
  startBrowser({ kernel, server, log, stop: signals.stop });
  return { server: server.api, signal: signals.stop, [Symbol.asyncDispose]: close };
}

interface BrowserStart {
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
