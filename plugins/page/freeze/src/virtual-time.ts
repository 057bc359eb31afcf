import { setTimeout as delay } from 'node:timers/promises';
import { addSourceUrl, type Page, type TargetSession, withTimeout } from '@platen/kernel';
import { readElapsed } from './in-page/index.js';

const SET = 'Emulation.setVirtualTimePolicy';
/** The clock stands while a request is in flight. */
const WAITING = 'pauseIfNetworkFetchesPending';
/**
 * Milliseconds by which virtual time is ahead of the real time once it has been spent: the compositor of a process whose clock is behind
 * waits for deadlines that have passed. The realms do not use what is more than their seconds.
 */
const AHEAD_MS = 5000;
/** Milliseconds that are given at least: a second, and what frames and workers may start later than their page. */
const LEAST_MS = 1500;
/**
 * Milliseconds after which a request in flight, such as one that never ends, no longer stops the clock. A cross-site iframe that comes into a
 * process whose clock has stopped waits for its own document: it gets less.
 */
const STUCK_MS = { page: 8000, iframe: 1500 } as const;
/** Milliseconds after which the same time is given again. */
const AGAIN_MS = 500;
/** Milliseconds between two times that are given when the clock goes like the real one. */
const PACE_MS = 50;
/** Milliseconds between two reads of a worker's clock, and for it to respond. */
const LOOK_MS = 20;
const WORKER_MS = 2000;

/**
 * The clock of timers, in the page, its frames and workers: it stands still except for given times, in which timers run one after another,
 * as fast as the machine can, and not while a request is in flight (Emulation.setVirtualTimePolicy). Each realm counts its own seconds of
 * these times. Nothing here rejects.
 */
export class VirtualTime {
  readonly #targets = new Set<TargetSession>();
  readonly #running = new Map<TargetSession, Promise<void>>();
  /** Milliseconds of virtual time. */
  readonly #spent = new WeakMap<TargetSession, number>();
  readonly #opened = performance.now();

  /** @param start milliseconds since 1970 */
  constructor(page: Page, start: number) {
    const initial = start > 0 ? { initialVirtualTime: start / 1000 } : {};
    page.targets.configure((target) => {
      if (target.kind === 'worklet') return [];
      this.#targets.add(target);
      target.onEnd(() => this.#targets.delete(target));
      if (target.kind !== 'page') {
        this.#give(target, initial);
        return [];
      }
      // It stands until the document is there. A paused clock would keep that from loading.
      target.on('Page.frameNavigated', ({ frame }) => {
        if (frame.parentId === undefined) this.#give(target);
      });
      return [target.send('Page.enable'), target.send(SET, { policy: 'pause', ...initial })];
    });
  }

  /** Gives time to every target. */
  give(): void {
    for (const target of this.#targets) this.#give(target);
  }

  /** Resolves once all targets have spent their time, those too that have appeared meanwhile. */
  async spent(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
    await Promise.all(this.workers().map(untilStanding));
  }

  /** The clock goes as fast as the real one. Unlimited, a timer that repeats would keep the page busy. */
  async pace(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const target of this.#targets) {
        if (target.hasDocuments) target.send(SET, { policy: WAITING, budget: 2 * PACE_MS }).catch(() => undefined);
      }
      await delay(PACE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  workers(): readonly TargetSession[] {
    return [...this.#targets].filter(({ hasDocuments }) => !hasDocuments);
  }

  #give(target: TargetSession, initial: Initial = {}): void {
    const spent = this.#spent.get(target) ?? 0;
    const budget = Math.max(LEAST_MS, Math.round(performance.now() - this.#opened) + AHEAD_MS - spent);
    if (this.#running.has(target)) {
      void send(target, { policy: WAITING, budget });
      return;
    }
    const spending = spend(target, { budget, ...initial }, () => this.workers()).then(() => {
      this.#running.delete(target);
      this.#spent.set(target, spent + budget);
      // The clock has stopped for all targets of the process, without an event for the others.
      for (const other of this.#running.keys()) this.#give(other);
    });
    this.#running.set(target, spending);
  }
}

interface Initial {
  readonly initialVirtualTime?: number;
}

interface Given extends Initial {
  readonly budget: number;
}

/** False: it has ended, or hangs. */
async function send(target: TargetSession, given: Given & { readonly policy: typeof WAITING | 'advance' }): Promise<boolean> {
  return target.send(SET, given).then(
    () => true,
    () => false,
  );
}

async function spend(target: TargetSession, given: Given, workers: () => readonly TargetSession[]): Promise<void> {
  const expired = new Promise<true>((resolve) => {
    target.on('Emulation.virtualTimeBudgetExpired', () => {
      resolve(true);
    });
    target.onEnd(() => {
      resolve(true);
    });
  });
  const stuckMs = STUCK_MS[target.kind === 'page' ? 'page' : 'iframe'];
  const isSent = await send(target, { policy: WAITING, ...given });
  if (!isSent || !target.hasDocuments) return;
  let leftMs = stuckMs;
  for (; workers().length > 0 && leftMs > 0; leftMs -= AGAIN_MS) {
    if ((await withTimeout(expired, AGAIN_MS)) === true) return;
    // The clock of a process may not start if its page and a worker get time at the same moment.
    for (const one of [...workers(), target]) await send(one, { policy: WAITING, budget: given.budget });
  }
  if ((await withTimeout(expired, leftMs)) === true) return;
  if (await send(target, { policy: 'advance', ...given })) await withTimeout(expired, stuckMs);
}

/** A worker has the clock of its page, and does not report when it has spent its time. */
async function untilStanding(worker: TargetSession): Promise<void> {
  const read = { expression: addSourceUrl(`(${readElapsed.toString()})()`), returnByValue: true };
  const look = async () => {
    const { result } = await worker.send('Runtime.evaluate', read, { timeoutMs: WORKER_MS });
    const elapsed: unknown = result.value;
    return elapsed;
  };
  try {
    const end = performance.now() + WORKER_MS;
    for (let last: unknown, now = await look(); now !== last && performance.now() < end;) {
      await delay(LOOK_MS);
      [last, now] = [now, await look()];
    }
  } catch {
    // It has ended, or hangs.
  }
}
