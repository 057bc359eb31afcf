import type { OpenServer } from '@platen/kernel';
import { bootServer } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import type { Io } from '../boot/io.js';
import { reportBroken } from '../boot/report-broken.js';
import { assertNoMore } from '../flags/usage-error.js';
import { createServer } from '../http/create-server.js';
import { startBrowser } from './start-browser.js';
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
