import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which everybody else gets a turn: a page may have a million nodes, and a server others to answer. */
const TURN_MS = 20;
/** The clock is looked at every so many steps. */
const STEPS = 32;

let step = 0;
let turned = 0;

/** Asked at every small step of a long work: whether it has held the event loop for long enough. Whatever works so shares the turn. */
export function shouldYield(): boolean {
  step = (step + 1) % STEPS;
  return step === 0 && performance.now() - turned > TURN_MS;
}

/** Lets everybody else have a turn. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
  turned = performance.now();
}

/** Carries out work that yields when `shouldYield` says so. */
export async function runYielding<T>(work: Generator<void, T>): Promise<T> {
  for (let state = work.next(); ; state = work.next()) {
    if (state.done === true) return state.value;
    await yieldToEventLoop();
  }
}
