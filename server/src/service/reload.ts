import type { FlagValues, ServerHooks } from './hooks.js';

/** Hands new values of the start-up flags to all taps, and puts them in force once all have found them to hold. Else rejects: nothing changed. */
export async function reload({ reload: hook }: Pick<ServerHooks, 'reload'>, flags: FlagValues): Promise<void> {
  const commits: (() => void)[] = [];
  await hook.promise(flags, (apply) => commits.push(apply));
  for (const apply of commits) apply();
}
