import { attribute, isPlatenError, PlatenError, untilAborted, type TapOnly } from '@platen/kernel';
import { tapAsync } from './attribute-errors.js';
import type { ExplicitFlags } from './explicit-flags.js';
import type { Commit, FlagValues, ServerHooks } from './hooks.js';

type ReloadHook = ServerHooks['reload'];

export interface ReloadOptions {
  /** Ends the wait for taps: functions that they pass to `commit` later have no effect. */
  readonly signal?: AbortSignal | undefined;
  /** Updated before any tap makes its own values active. */
  readonly given: Pick<ExplicitFlags, 'follow'>;
}

/**
 * Passes new values of the startup flags to all taps, and makes them active once all taps have accepted them. Otherwise it rejects, and
 * nothing has changed. Resolves with the errors of taps whose `commit` function failed, which none of them should; the other functions have
 * run.
 */
export async function reload(
  { reload: hook }: Pick<ServerHooks, 'reload'>,
  flags: FlagValues,
  { signal, given }: ReloadOptions,
): Promise<readonly PlatenError[]> {
  const commits: (() => void)[] = [];
  const checking = hook.promise(flags, (apply) => commits.push(apply));
  await (signal === undefined ? checking : untilAborted(checking, signal));
  given.follow(flags);
  return commits.flatMap((apply) => failureOf(apply) ?? []);
}

/** The hook that plugins tap: an error of a function passed to `commit` names its plugin. */
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
            throw attribute(error, name, hook.name ?? 'reload');
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
    return isPlatenError(error) ? error : new PlatenError('plugin_failed', 'new values did not take effect', { cause: error });
  }
}
