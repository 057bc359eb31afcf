import { createKeyring, type Key, type Keyring } from './keyring.js';
import { createReread, type RereadOptions } from './reread.js';

/** What of a server's hooks it needs. */
export interface ReloadHooks {
  readonly reload: {
    tap(name: string, judge: (flags: Readonly<Record<string, unknown>>, commit: (take: () => void) => void) => void): void;
  };
}

export interface ReloadKeyringOptions extends RereadOptions {
  /** Of the plugin. */
  readonly name: string;
  /** What the flag says at the start. */
  readonly given: readonly string[];
  /** `index`: which of the secrets it is. */
  readonly parse: (secret: string, index: number) => Key;
}

/** A keyring of what a flag says at the moment: a reload changes it, as `createReread` judges. */
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
