import { createKeyring, type Key, type Keyring } from './keyring.js';
import { createReread, type RereadOptions } from './reread.js';

/** The server hooks that it needs. */
export interface ReloadHooks {
  readonly reload: {
    tap(name: string, judge: (flags: Readonly<Record<string, unknown>>, commit: (take: () => void) => void) => void): void;
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
    const { secrets: next, tell } = reread(flags, secrets);
    const nextKeyring = createKeyring(next.map(parse));
    commit(() => {
      secrets = next;
      keyring = nextKeyring;
      tell();
    });
  });
  return {
    get isEmpty() {
      return keyring.isEmpty;
    },
    identify: (secret) => keyring.identify(secret),
  };
}
