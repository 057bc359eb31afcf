import { setTimeout as delay } from 'node:timers/promises';
import type { Kernel, Logger } from '@platen/kernel';
import type { Boot } from '../boot/boot.js';
import type { Io } from '../boot/io.js';
import { createServer, type Server } from '../http/create-server.js';
import { startBrowser } from './open-server.js';
import { watchFlags } from './watch-flags.js';
import { aborted, watchStopSignals, type StopSignals } from './stop-signals.js';

/** Time for the browser to exit when the shutdown is urgent. */
const FORCED_CLOSE_MS = 2_000;

/** `platen --server`: serves until a signal, drains, and removes its temporary files. Resolves with the exit code. */
export async function runServer(boot: Boot, io: Io): Promise<number> {
  const { createKernel, flags, log } = boot;
  const kernel = createKernel();
  const server = createServer({ kernel, flags, log });
  using reloading = watchFlags(boot, server);
  // SIGHUP asks a daemon to reload its configuration; on a terminal it means that the terminal was closed.
  using signals = watchStopSignals(io.stdout.isTTY === true ? {} : { onHangup: reloading.reload });
  const asked = io.hangup?.handOver() === true;
  const unhandled = (reason: unknown) => {
    log.error({ err: reason }, 'unhandled promise rejection');
  };
  process.on('unhandledRejection', unhandled);
  try {
    const starting = kernel.prepare().then(() => server.listen());
    const url = await Promise.race([starting, aborted(signals.stop)]);
    if (url === undefined) return await giveUp(starting, { kernel, server, log, signals });
    announce(url, { kernel, log, io });
    if (asked) reloading.reload();
    startBrowser({ kernel, server, log, stop: signals.stop });
    await aborted(signals.stop);
    log.info({ in_flight: kernel.status().inFlight }, 'stopping: running renders may finish, a second signal ends them');
    const stopping = server.close(Number(flags['server-grace-period'] ?? 30) * 1000).then(() => kernel.close(0));
    await Promise.race([stopping, aborted(signals.force)]);
    if (!signals.force.aborted) {
      log.info({}, 'stopped');
      return 0;
    }
    await Promise.race([kernel.close(0), delay(FORCED_CLOSE_MS)]);
    return signals.exitCode();
  } finally {
    process.off('unhandledRejection', unhandled);
    if (!signals.stop.aborted) await kernel.close(0);
  }
}

interface Unfinished {
  readonly kernel: Kernel;
  readonly server: Server;
  readonly log: Logger;
  readonly signals: StopSignals;
}

/** Stopped during the start: closes all opened resources, without waiting for a hanging start. */
async function giveUp(starting: Promise<unknown>, { kernel, server, log, signals }: Unfinished): Promise<number> {
  starting.catch(() => undefined);
  log.info({}, 'stopped during startup');
  const closing = Promise.allSettled([server.close(0), kernel.close(0)]);
  await Promise.race([closing, aborted(signals.force), delay(FORCED_CLOSE_MS)]);
  return signals.exitCode();
}

function announce(url: string, { kernel, log, io }: { readonly kernel: Kernel; readonly log: Logger; readonly io: Io }): void {
  log.info({ url, version: kernel.version, plugins: kernel.plugins.map(({ definition }) => definition.name).sort() }, 'listening');
  if (io.stdout.isTTY !== true) return;
  const [curl, base] = url.startsWith('unix:') ? [`curl --unix-socket ${url.slice('unix:'.length)}`, 'http://localhost'] : ['curl', url];
  io.stdout.write(
    `\nPlaten ${kernel.version} serves on ${url}\n  ${curl} --fail-with-body '${base}/?url=https://example.com' -o page.png\n\n`,
  );
}
