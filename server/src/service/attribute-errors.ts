import { attribute, Stage, type TapOnly, type TapOptions } from '@platen/kernel';

interface AsyncTappable<A extends unknown[], R> {
  readonly name: string | undefined;
  tapPromise(options: { name: string; stage: number }, fn: (...args: A) => Promise<R>): void;
}

interface SyncTappable<A extends unknown[], R> {
  readonly name: string | undefined;
  tap(options: { name: string; stage: number }, fn: (...args: A) => R): void;
}

/** An async hook that can be tapped but not called; an error of a tap names the plugin and the hook. */
export function tapAsync<A extends unknown[], R>(hook: AsyncTappable<A, R>): TapOnly<A, R> {
  const add = (options: string | TapOptions, fn: (...args: A) => R | Promise<R>) => {
    const at = place(options);
    hook.tapPromise(at, async (...args) => {
      try {
        return await fn(...args);
      } catch (error) {
        throw toThrow(error, at.name, hook.name);
      }
    });
  };
  return { tap: add, tapPromise: add };
}

/** The same for a hook with synchronous taps. */
export function tapSync<A extends unknown[], R>(hook: SyncTappable<A, R>): Pick<TapOnly<A, R>, 'tap'> {
  return {
    tap(options: string | TapOptions, fn: (...args: A) => R) {
      const at = place(options);
      hook.tap(at, (...args) => {
        try {
          return fn(...args);
        } catch (error) {
          throw toThrow(error, at.name, hook.name);
        }
      });
    },
  };
}

function place(options: string | TapOptions): { readonly name: string; readonly stage: number } {
  return typeof options === 'string'
    ? { name: options, stage: Stage.normal }
    : { name: options.name, stage: options.stage ?? Stage.normal };
}

/** Errors of functions that a hook passes to its taps: a tap that rethrows such an error is not its source. */
const ofOthers = new WeakSet<Error>();

/** Marks work of another component that a tap awaits: if it rejects, the error keeps its source while it passes through the tap. */
export async function preserveErrorSource<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error) ofOthers.add(error);
    throw error;
  }
}

function toThrow(error: unknown, plugin: string, hook = 'unknown'): unknown {
  return error instanceof Error && ofOthers.has(error) ? error : attribute(error, plugin, hook);
}
