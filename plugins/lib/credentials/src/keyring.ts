import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Logger } from '@platen/kernel';

/** An accepted secret, and the name of its owner in logs and metrics. */
export interface Key {
  readonly identity: string;
  readonly secret: string;
}

export interface Keyring {
  readonly isEmpty: boolean;
  /** The owner of a secret, if any. The comparison time reveals neither which secret matches nor how much of it. */
  identify(given: string): string | undefined;
}

/** Compares HMAC digests with a private key: all have the same length, and their first bytes are unpredictable. */
export function createKeyring(keys: readonly Key[]): Keyring {
  const own = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', own).update(text).digest();
  const held = keys.map(({ identity, secret }) => ({ identity, digest: digest(secret) }));
  return {
    isEmpty: keys.length === 0,
    identify(given) {
      const asked = digest(given);
      // Compares all secrets, even after a match.
      const fitting = held.filter((key) => timingSafeEqual(key.digest, asked));
      return fitting[0]?.identity;
    },
  };
}

/** The server hooks that it needs. */
export interface ReloadHooks {
  readonly reload: {
    tap(name: string, check: (flags: Readonly<Record<string, unknown>>, commit: (take: () => void) => void) => void): void;
  };
}

export interface ReloadKeyringOptions extends RereadOptions {
  /** Name of the plugin. */
  readonly name: string;
  /** The flag's initial value. */
  readonly given: readonly string[];
  /** `index`: position of the secret in the list. */
  readonly parse: (secret: string, index: number) => Key;
}

/** A keyring with the current value of a flag. A configuration reload updates it according to `createReread`. */
export function reloadKeyring({ reload }: ReloadHooks, { name, given, parse, ...options }: ReloadKeyringOptions): Keyring {
  let secrets = given;
  let keyring = createKeyring(secrets.map(parse));
  const reread = createReread(options);
  reload.tap(name, (flags, commit) => {
    const { secrets: next, report } = reread(flags, secrets);
    const nextKeyring = createKeyring(next.map(parse));
    commit(() => {
      secrets = next;
      keyring = nextKeyring;
      report();
    });
  });
  return {
    get isEmpty() {
      return keyring.isEmpty;
    },
    identify: (secret) => keyring.identify(secret),
  };
}

export interface RereadOptions {
  /** The flag's name without dashes. */
  readonly flag: string;
  readonly log: Pick<Logger, 'warn'>;
}

export interface Reread {
  readonly secrets: readonly string[];
  /** Called when new secrets take effect. Logs a warning when the former ones remain, once until the list is non-empty again. */
  report(): void;
}

/**
 * Checks a list of secrets when the configuration is reloaded. If the list becomes empty, the former secrets remain: a line lost from a
 * file must not open the server to all clients. A restart applies the empty list.
 */
export function createReread({
  flag,
  log,
}: RereadOptions): (flags: Readonly<Record<string, unknown>>, former: readonly string[]) => Reread {
  let isReported = false;
  return (flags, former) => {
    const value = flags[flag];
    const given = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
    const isLost = given.length === 0 && former.length > 0;
    return {
      secrets: isLost ? former : given,
      report() {
        if (isLost && !isReported)
          log.warn({ flag }, 'the new configuration has no credentials: the former ones remain valid until a restart');
        isReported = isLost;
      },
    };
  };
}
