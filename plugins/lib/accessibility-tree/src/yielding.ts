import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which other tasks get a turn: a page may have a million nodes, and a server has other requests. */
const TURN_MS = 20;
/** Number of steps between checks of the clock. */
const STEPS = 32;

let step = 0;
let turned = 0;

/**
 * Called at every small step of a long computation: whether it has blocked the event loop for long enough. All such computations share the
 * time slice.
 */
export function shouldYield(): boolean {
  step = (step + 1) % STEPS;
  return step === 0 && performance.now() - turned > TURN_MS;
}

/** Yields to other tasks. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  turned = performance.now();
}

/** Runs a computation that yields whenever `shouldYield` says so. */
export async function runYielding<T>(work: Generator<void, T>): Promise<T> {
  for (let state = work.next(); ; state = work.next()) {
    if (state.done === true) return state.value;
    await yieldToEventLoop();
  }
}
