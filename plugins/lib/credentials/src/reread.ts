import type { Logger } from '@platen/kernel';

export interface RereadOptions {
  /** The flag's name without dashes. */
  readonly flag: string;
  readonly log: Pick<Logger, 'warn'>;
}

export interface Reread {
  readonly secrets: readonly string[];
  /** To be called as they come into force: says so where the former ones stay, once until there are some again. */
  tell(): void;
}

/**
 * Judges a list of secrets as the configuration is read again. Where there were secrets and now are none the former ones stay: a line
 * lost from a file must not open a server to everybody, a restart may.
 */
export function createReread({
  flag,
  log,
}: RereadOptions): (flags: Readonly<Record<string, unknown>>, former: readonly string[]) => Reread {
  let isTold = false;
  return (flags, former) => {
    const value = flags[flag];
    const given = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
    const isLost = given.length === 0 && former.length > 0;
    return {
      secrets: isLost ? former : given,
      tell() {
        if (isLost && !isTold) log.warn({ flag }, 'the configuration no longer asks for credentials: the former ones stay until a restart');
        isTold = isLost;
      },
    };
  };
}
