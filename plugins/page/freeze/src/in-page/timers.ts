const SECOND = 1000;
/** Milliseconds between two frames. */
const FRAME_MS = 16;
/** Milliseconds that timers last at least, and those that timers set: they may be a loop (HTML, "run steps after a timeout"). */
const LEAST_MS = 1;
const LEAST_NESTED_MS = 4;

interface Timer {
  /** When it is due, in milliseconds of the realm's time. */
  readonly due: number;
  /** Timers of one moment run in the order in which they were set. */
  readonly order: number;
  readonly run: () => void;
  readonly everyMs?: number;
}

/**
 * The time of a realm, and its timers: milliseconds since its start. It stands still except while it is advanced, as fast as timers
 * run, up to the end of the seconds that it has been given.
 */
export class RealmTime {
  readonly #timers = new Map<number, Timer>();
  readonly #channel = new MessageChannel();
  #now = 0;
  #limit = SECOND;
  #set = 0;
  #isNested = false;
  #advancing: Promise<boolean> | undefined;
  #last = 0;
  #reads = 0;

  /** @param start milliseconds since 1970 */
  constructor(start: number) {
    performance.now = () => this.#read();
    Object.defineProperty(performance, 'timeOrigin', { value: start, configurable: true });
  }

  get now(): number {
    return this.#now;
  }

  set(run: () => void, ms: unknown, { isRepeated = false } = {}): number {
    const wanted = Number(ms);
    const pause = Math.max(this.#isNested || isRepeated ? LEAST_NESTED_MS : LEAST_MS, Number.isFinite(wanted) ? Math.trunc(wanted) : 0);
    const id = (this.#set += 1);
    this.#timers.set(id, { due: this.#now + pause, order: id, run, ...(isRepeated && { everyMs: pause }) });
    return id;
  }

  clear(id: unknown): void {
    this.#timers.delete(Number(id));
  }

  /** Gives another second. */
  extend(): void {
    this.#now = this.#limit;
    this.#limit += SECOND;
  }

  /** Lets the time go on. Resolves with whether timers of the given seconds are left. */
  async advance(ms: number): Promise<boolean> {
    this.#advancing ??= this.#run(Math.min(this.#now + ms, this.#limit)).finally(() => {
      this.#advancing = undefined;
    });
    return this.#advancing;
  }

  async #run(end: number): Promise<boolean> {
    for (;;) {
      // Each in a task of its own: what a timer leads to happens before the next one.
      await this.#task();
      const [id, timer] = this.#next() ?? [];
      if (id === undefined || timer === undefined || timer.due > end) break;
      this.#now = Math.max(this.#now, timer.due);
      if (timer.everyMs === undefined) this.#timers.delete(id);
      else this.#timers.set(id, { ...timer, due: this.#now + timer.everyMs, order: (this.#set += 1) });
      this.#isNested = true;
      try {
        timer.run();
      } catch (error) {
        reportError(error);
      }
      this.#isNested = false;
    }
    this.#now = Math.max(this.#now, end);
    const next = this.#next();
    return next !== undefined && next[1].due <= this.#limit;
  }

  async #task(): Promise<void> {
    const { port1, port2 } = this.#channel;
    await new Promise<void>((resolve) => {
      port1.onmessage = () => {
        resolve();
      };
      port2.postMessage(null);
    });
  }

  #next(): readonly [number, Timer] | undefined {
    let first: readonly [number, Timer] | undefined;
    for (const entry of this.#timers) {
      if (first === undefined || entry[1].due < first[1].due || (entry[1].due === first[1].due && entry[1].order < first[1].order))
        first = entry;
    }
    return first;
  }

  /** Goes on a little with each read, so that a script that waits in a loop ends. */
  #read(): number {
    this.#reads = this.#now > this.#last ? 0 : this.#reads + 1;
    this.#last = Math.max(this.#now, this.#last);
    if (this.#reads > 1000) [this.#last, this.#reads] = [this.#last + 1, 0];
    return this.#last + this.#reads / 1000;
  }
}

/** Timers of the realm's time. Frames are timers here: their number in a time does not depend on the speed of the machine. */
export function holdTimers(time: RealmTime): void {
  const compile = globalThis.setTimeout.bind(globalThis);
  const toRun = (handler: TimerHandler, given: readonly unknown[]) => () => {
    // Text is code, which only a timer of the browser may run under the policy of the page.
    if (typeof handler === 'function') Reflect.apply(handler, globalThis, given);
    else compile(handler);
  };
  const clear = (id?: number) => {
    time.clear(id);
  };
  // The types of Node's timers are those of an object.
  Object.assign(globalThis, {
    setTimeout: (handler: TimerHandler, ms?: number, ...given: unknown[]) => time.set(toRun(handler, given), ms),
    setInterval: (handler: TimerHandler, ms?: number, ...given: unknown[]) => time.set(toRun(handler, given), ms, { isRepeated: true }),
    ...{ clearTimeout: clear, clearInterval: clear },
  });
  if ('requestAnimationFrame' in globalThis) drawByTimers(time);
  if ('requestIdleCallback' in globalThis) {
    const deadline = { didTimeout: false, timeRemaining: () => 10 };
    globalThis.requestIdleCallback = (callback) => {
      return time.set(() => {
        callback(deadline);
      }, 1);
    };
    globalThis.cancelIdleCallback = clear;
  }
}

function drawByTimers(time: RealmTime): void {
  let last = 0;
  let due = new Map<number, FrameRequestCallback>();
  let running = due;
  const run = () => {
    running = due;
    due = new Map();
    const moment = time.now;
    for (const [id, callback] of running) {
      running.delete(id);
      try {
        callback(moment);
      } catch (error) {
        reportError(error);
      }
    }
  };
  globalThis.requestAnimationFrame = (callback) => {
    if (due.size === 0) time.set(run, FRAME_MS);
    last += 1;
    due.set(last, callback);
    return last;
  };
  globalThis.cancelAnimationFrame = (id) => {
    due.delete(id);
    running.delete(id);
  };
}
