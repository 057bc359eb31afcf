import type { KeyObject } from 'node:crypto';
import { PlatenError } from '@platen/kernel';
import { LicenseFault, type License } from './license.js';
import { parsePublicKey } from './public-key.js';
import { verifyToken } from './token.js';

/** Values of the plugin's flags. */
export interface LicenseFlags {
  readonly 'license-key'?: unknown;
  readonly 'license-public-key'?: unknown;
}

/** By what a server is held: without a licence the lowest tier. */
export interface Terms {
  readonly license?: License;
}

/** Undefined where no public key is given: nothing is locked. Throws `LicenseFault` naming the flag that is not valid. */
function readTerms({ 'license-key': token, 'license-public-key': key }: LicenseFlags): Terms | undefined {
  if (typeof key !== 'string') return undefined;
  const publicKey = naming('license-public-key', () => parsePublicKey(key));
  return typeof token === 'string' ? { license: readLicense(token, publicKey) } : {};
}

/** The same for a server, which does not take what is not valid: throws `boot_invalid_flag`. */
export function readValidTerms(flags: LicenseFlags): Terms | undefined {
  try {
    return readTerms(flags);
  } catch (error) {
    if (error instanceof LicenseFault) throw new PlatenError('boot_invalid_flag', error.message, { cause: error });
    throw error;
  }
}

function readLicense(token: string, key: KeyObject): License {
  return naming('license-key', () => verifyToken(token, key));
}

function naming<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LicenseFault)) throw error;
    throw new LicenseFault(`--${flag} is not valid: ${error.message}`, { cause: error });
  }
}
