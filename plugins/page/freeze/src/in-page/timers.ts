/** Milliseconds of virtual time between two frames. */
const FRAME_MS = 16;
const SECOND = 1000;

/** The time of a realm: whole milliseconds since its start, of the virtual time in seconds that the realm is given. */
export class RealmTime {
  readonly #real = performance.now.bind(performance);
  readonly #origin = this.#real();
  #limit = SECOND;
  /** Milliseconds of virtual time that it was not given. */
  #skipped = 0;
  #isOver = false;
  #last = 0;
  #reads = 0;
  #waiting: (() => void)[] = [];

  /** @param start milliseconds since 1970 */
  constructor(start: number) {
    performance.now = () => this.#read();
    Object.defineProperty(performance, 'timeOrigin', { value: start, configurable: true });
  }

  elapsed(): number {
    return Math.max(0, Math.round(this.#real() - this.#origin) - this.#skipped);
  }

  get isUp(): boolean {
    return this.#isOver || this.elapsed() > this.#limit;
  }

  /** Runs the work now, or in the next second. */
  run(work: () => void): void {
    if (this.isUp) this.#waiting.push(work);
    else work();
  }

  /** Gives another second. */
  extend(): void {
    this.#skipped += Math.max(0, this.elapsed() - this.#limit);
    this.#limit += SECOND;
    for (const work of this.#waiting.splice(0)) work();
  }

  /** Nothing runs any more. */
  end(): void {
    this.#isOver = true;
  }

  /** Goes on a little with each read, so that a script that waits in a loop ends. */
  #read(): number {
    const current = Math.min(this.elapsed(), this.#limit);
    this.#reads = current > this.#last ? 0 : this.#reads + 1;
    this.#last = Math.max(current, this.#last);
    if (this.#reads > 1000) [this.#last, this.#reads] = [this.#last + 1, 0];
    return this.#last + this.#reads / 1000;
  }
}

/** Frames are timers here: their number in a time does not depend on the speed of the machine. */
export function holdTimers(time: RealmTime): void {
  const timeout = globalThis.setTimeout.bind(globalThis);
  const interval = globalThis.setInterval.bind(globalThis);
  // Text is code to run: it is not worth a guard.
  const later = (handler: TimerHandler, ms?: number, ...given: unknown[]) =>
    typeof handler !== 'function'
      ? timeout(handler, ms)
      : timeout(() => {
          time.run(() => {
            Reflect.apply(handler, globalThis, given);
          });
        }, ms);
  const repeat = (handler: TimerHandler, ms?: number, ...given: unknown[]) =>
    typeof handler !== 'function'
      ? interval(handler, ms)
      : interval(() => {
          if (!time.isUp) Reflect.apply(handler, globalThis, given);
        }, ms);
  // The types of Node's timers are those of an object.
  Object.assign(globalThis, { setTimeout: later, setInterval: repeat });
  if ('requestAnimationFrame' in globalThis) drawByTimers((run) => later(run, FRAME_MS), time);
  if ('requestIdleCallback' in globalThis) {
    const deadline = { didTimeout: false, timeRemaining: () => 10 };
    globalThis.requestIdleCallback = (callback) => Number(later(callback, 1, deadline));
    globalThis.cancelIdleCallback = (id) => {
      clearTimeout(id);
    };
  }
}

function drawByTimers(later: (run: () => void) => unknown, time: RealmTime): void {
  let last = 0;
  let due = new Map<number, FrameRequestCallback>();
  let running = due;
  const run = () => {
    running = due;
    due = new Map();
    const moment = time.elapsed();
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
    if (due.size === 0) later(run);
    last += 1;
    due.set(last, callback);
    return last;
  };
  globalThis.cancelAnimationFrame = (id) => {
    due.delete(id);
    running.delete(id);
  };
}
