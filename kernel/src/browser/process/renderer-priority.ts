import { constants, setPriority } from 'node:os';
import { listRenderers, listSandboxedZygotes, listThreads, readProcess } from './system-processes.js';

/** Two priorities of renderers (`setpriority(2)`), both below the browser and its network service, which all renders share. */
const NORMAL = 5;
const LOW = constants.priority.PRIORITY_LOW;

const LOOK_EVERY_MS = 100;
/** Seconds of processor time after which a renderer gets the low priority. */
const NORMAL_SECONDS = 0.5;
/** A page without workers has at most so many threads. */
const PLAIN_THREADS = 15;

/** Prevents pages that use all processors from starving other pages. */
export interface RendererPriority {
  /** Watches the renderers from now on. */
  start(): void;
  stop(): void;
}

/**
 * Lowers the priority of all renderers of a browser, and that of busy ones further. Needs no privilege, and has no effect while processors
 * are idle. Linux only; no effect elsewhere.
 */
export function createRendererPriority(browser: number): RendererPriority {
  if (process.platform !== 'linux') return { start: () => undefined, stop: () => undefined };
  const lowered = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  // Not found at each look: the browser has some forty threads, each with its own list of children.
  let zygotes = listSandboxedZygotes(browser);
  // Renderers inherit the zygote's priority. The unsandboxed zygote is left alone: it also starts shared processes.
  for (const zygote of zygotes) lower(zygote, NORMAL);

  const look = (): void => {
    const renderers = listRenderers(zygotes);
    for (const pid of lowered) if (!renderers.includes(pid)) lowered.delete(pid);
    for (const pid of renderers.filter((each) => !lowered.has(each) && isBusy(each))) {
      lowered.add(pid);
      lower(pid, LOW);
    }
  };
  return {
    start() {
      if (timer === undefined) zygotes = listSandboxedZygotes(browser);
      timer ??= setInterval(look, LOOK_EVERY_MS).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** CPU time is multiplied by the number of worker threads, so that a thread gets no more than a page. */
function isBusy(pid: number): boolean {
  const { cpuSeconds = 0, threads = 0 } = readProcess(pid) ?? {};
  return cpuSeconds * Math.max(1, threads - PLAIN_THREADS) > NORMAL_SECONDS;
}

/** On Linux each thread has its own priority. Threads that it starts later inherit it. */
function lower(pid: number, priority: number): void {
  for (const thread of listThreads(pid)) {
    try {
      setPriority(thread, priority);
    } catch {
      // The thread has ended meanwhile, or the system forbids it.
    }
  }
}
