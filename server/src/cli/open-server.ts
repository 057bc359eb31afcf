import type { OpenServer } from '@platen/kernel';
import { createServer } from '../http/create-server.js';
import { bootServer } from './boot.js';
import type { Catalog } from './catalog.js';
import type { Io } from './io.js';
import { reportBroken } from './report-broken.js';
import { startBrowser } from './start-browser.js';
import { watchStopSignals } from './stop-signals.js';
import { assertNoMore } from './usage-error.js';

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
