import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../logger.js';
import { readCommand, type WatchedProcess, watchProcess } from './system-processes.js';
import type { OwnedSession } from '../protocol/protocol-session.js';

/** Chromium's network service: a separate process that all browser contexts share. */
export interface NetworkService {
  /** True once it has ended. Chromium starts another, but existing contexts have lost their proxy. */
  readonly ended: boolean;
  /**
   * Finds the process if it is not known yet. It starts soon after a browser context is created, and counts as alive until it is found.
   * Only Linux can identify it; elsewhere it always counts as alive.
   */
  look(): void;
}

/** Milliseconds between looks while the browser is still starting it. */
const LOOKS_AFTER_MS = [50, 100, 200, 400, 800, 1600, 3200];

const ITS_SWITCH = '--utility-sub-type=network.mojom.NetworkService';

export function followNetworkService(root: Pick<OwnedSession, 'send'>, log: Logger): NetworkService {
  let service: WatchedProcess | undefined;
  let isLooking = false;
  return {
    get ended() {
      return service?.ended === true;
    },
    look() {
      if (service !== undefined || isLooking || process.platform !== 'linux') return;
      isLooking = true;
      find(root)
        .then(
          (found) => {
            service = found;
            if (found !== undefined) log.debug({ network_pid: found.pid }, 'the network service is found');
          },
          // The browser has already exited.
          () => undefined,
        )
        .finally(() => (isLooking = false));
    },
  };
}

async function find(root: Pick<OwnedSession, 'send'>): Promise<WatchedProcess | undefined> {
  for (const ms of [0, ...LOOKS_AFTER_MS]) {
    if (ms > 0) await delay(ms, undefined, { ref: false });
    const { processInfo } = await root.send('SystemInfo.getProcessInfo');
    const found = processInfo.map(({ id }) => id).find((id) => readCommand(id).includes(ITS_SWITCH));
    if (found !== undefined) return watchProcess(found);
  }
  return undefined;
}
