import { isPlatenError, PlatenError, untilAborted, type TapOnly } from '@platen/kernel';
import { attribute, tapAsync } from './attribute-errors.js';
import type { ExplicitFlags } from './explicit-flags.js';
import type { Commit, FlagValues, ServerHooks } from './hooks.js';

type ReloadHook = ServerHooks['reload'];

export interface ReloadOptions {
  /** Ends the waiting for taps: what they hand to `commit` later has no effect. */
  readonly signal?: AbortSignal | undefined;
  /** Told before any tap puts its own values in force. */
  readonly given: Pick<ExplicitFlags, 'follow'>;
}

/**
 * Hands new values of the start-up flags to all taps, and puts them in force once all have found them to hold. Else rejects: nothing
 * changed. Resolves with what taps failed with as they put their values in force, which none of them should; the others have done so.
 */
export async function reload(
  { reload: hook }: Pick<ServerHooks, 'reload'>,
  flags: FlagValues,
  { signal, given }: ReloadOptions,
): Promise<readonly PlatenError[]> {
  const commits: (() => void)[] = [];
  const judging = hook.promise(flags, (apply) => commits.push(apply));
  await (signal === undefined ? judging : untilAborted(judging, signal));
  given.follow(flags);
  return commits.flatMap((apply) => failureOf(apply) ?? []);
}

/** The hook to be tapped: whatever a tap hands to `commit` says whose it is where it fails. */
export function tapReload(hook: ReloadHook): TapOnly<[FlagValues, Commit], void> {
  const { tap } = tapAsync(hook);
  const add: typeof tap = (options, fn) => {
    const name = typeof options === 'string' ? options : options.name;
    tap(options, (flags, commit) =>
      fn(flags, (apply) => {
        commit(() => {
          try {
            apply();
          } catch (error) {
            throw attribute(error, name, hook.name);
          }
        });
      }),
    );
  };
  return { tap: add, tapPromise: add };
}

function failureOf(apply: () => void): PlatenError | undefined {
  try {
    apply();
    return undefined;
  } catch (error) {
    return isPlatenError(error) ? error : new PlatenError('plugin_failed', 'new values did not come into force', { cause: error });
  }
}
