import process from 'node:process';

/**
 * Handles a SIGHUP that comes before it is known whether this process will be a server. For a server, SIGHUP means: reload the
 * configuration.
 */
export interface EarlySighup {
  /** The process is not a server: SIGHUP ends it, also a SIGHUP that came before. */
  release(): void;
  /** The server's own listener is installed. Returns whether a SIGHUP came before it was. */
  handOver(): boolean;
}

/**
 * Listens from the moment this module is loaded, so it must be a program's first import. Without it, Node would end a service that receives
 * SIGHUP before the plugins are loaded and the flags are read. On a terminal, SIGHUP means that the terminal was closed.
 */
export const earlySighup: EarlySighup = process.stdout.isTTY ? { release: () => undefined, handOver: () => false } : hold();

function hold(): EarlySighup {
  let came = false;
  const listener = () => {
    came = true;
  };
  process.on('SIGHUP', listener);
  const off = () => process.off('SIGHUP', listener);
  return {
    release() {
      off();
      if (came) process.kill(process.pid, 'SIGHUP');
    },
    handOver() {
      off();
      return came;
    },
  };
}
