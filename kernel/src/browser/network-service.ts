import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../is-alive.js';
import type { Logger } from '../logger.js';
import type { ManagedSession } from './protocol-session.js';

/** Chromium's network service: a process of its own, which all browser contexts share. */
export interface NetworkService {
  /** True once it has ended. Chromium starts another, but the contexts that are there have lost their proxy with it. */
  readonly ended: boolean;
  /**
   * Finds it, where it is not found yet: it is there soon after a browser context is, and until it is found it counts as living. Only Linux
   * tells which it is; elsewhere it counts as living for good.
   */
  look(): void;
}

/** Milliseconds between looks while the browser is still starting it. */
const LOOKS_AFTER_MS = [50, 100, 200, 400, 800, 1600, 3200];

const ITS_SWITCH = '--utility-sub-type=network.mojom.NetworkService';

export function followNetworkService(root: Pick<ManagedSession, 'send'>, log: Logger): NetworkService {
  let pid: number | undefined;
  let isLooking = false;
  return {
    get ended() {
      return pid !== undefined && !isRunning(pid);
    },
    look() {
      if (pid !== undefined || isLooking || process.platform !== 'linux') return;
      isLooking = true;
      find(root)
        .then(
          (found) => {
            pid = found;
            if (found !== undefined) log.debug({ network_pid: found }, 'the network service is found');
          },
          // The browser is gone already.
          () => undefined,
        )
        .finally(() => (isLooking = false));
    },
  };
}

async function find(root: Pick<ManagedSession, 'send'>): Promise<number | undefined> {
  for (const ms of [0, ...LOOKS_AFTER_MS]) {
    if (ms > 0) await delay(ms, undefined, { ref: false });
    const { processInfo } = await root.send('SystemInfo.getProcessInfo');
    const found = processInfo.map(({ id }) => id).find((id) => read(id, 'cmdline').includes(ITS_SWITCH));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether it runs: one that has exited is there until its parent asks (`proc(5)`, stat: state Z). */
function isRunning(pid: number): boolean {
  return isAlive(pid) && !/\) [ZX] /.test(read(pid, 'stat'));
}

/** Files of /proc are made while they are read: nothing waits. */
function read(pid: number, file: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
