import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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
