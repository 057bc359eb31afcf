import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** One secret that lets in, and the name under which logs and metrics know who has it. */
export interface Key {
  readonly identity: string;
  readonly secret: string;
}

export interface Keyring {
  readonly isEmpty: boolean;
  /** Whose secret it is, if anybody's. The time that it takes tells neither which fits nor how much of one does. */
  identify(given: string): string | undefined;
}

/** Compares by digests under a key of its own: they are of one length whatever was given, and nobody can know how they begin. */
export function createKeyring(keys: readonly Key[]): Keyring {
  const own = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', own).update(text).digest();
  const held = keys.map(({ identity, secret }) => ({ identity, digest: digest(secret) }));
  return {
    isEmpty: keys.length === 0,
    identify(given) {
      const asked = digest(given);
      // All are compared, however early one fits.
      const fitting = held.filter((key) => timingSafeEqual(key.digest, asked));
      return fitting[0]?.identity;
    },
  };
}
