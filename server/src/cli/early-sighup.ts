import process from 'node:process';

/** A hangup before it is known whether this process will be a server, to which it says: read your configuration again. */
export interface EarlySighup {
  /** The process is no server: a hangup ends it, also one that came before. */
  release(): void;
  /** The server's own listener stands. Whether a hangup came before it did. */
  handOver(): boolean;
}

/**
 * Listens from the moment on in which this module is loaded, so it is to be a program's first import: until the plugins are loaded
 * and the flags are read, Node would end a service that is told to reload. At a terminal a hangup is the terminal's end.
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
