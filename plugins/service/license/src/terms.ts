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

/** The license terms of a server; without a license the lowest tier. */
export interface Terms {
  readonly license?: License;
}

/**
 * Undefined without a public key: nothing is locked.
 *
 * @throws LicenseFault naming the invalid flag.
 */
function readTerms({ 'license-key': token, 'license-public-key': key }: LicenseFlags): Terms | undefined {
  if (typeof key !== 'string') return undefined;
  const publicKey = naming('license-public-key', () => parsePublicKey(key));
  return typeof token === 'string' ? { license: readLicense(token, publicKey) } : {};
}

/**
 * Reads the terms of a server.
 *
 * @throws PlatenError `boot_invalid_flag` if the license or key is not valid.
 */
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
