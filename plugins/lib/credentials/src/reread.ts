import type { Logger } from '@platen/kernel';

export interface RereadOptions {
  /** The flag's name without dashes. */
  readonly flag: string;
  readonly log: Pick<Logger, 'warn'>;
}

export interface Reread {
  readonly secrets: readonly string[];
  /** Called when new secrets take effect. Logs a warning when the former ones remain, once until the list is non-empty again. */
  tell(): void;
}

/**
 * Checks a list of secrets when the configuration is reloaded. If the list becomes empty, the former secrets remain: a line lost from a
 * file must not open the server to all clients. A restart applies the empty list.
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
