import { createPrivateKey, randomUUID, type KeyObject } from 'node:crypto';
import type { CommandIo } from '@platen/kernel';
import { parseWords, readText } from './command-input.js';
import { formatTime, LicenseFault, parseClaims } from './license.js';
import { signToken } from './token.js';

const OPTIONS = ['holder', 'tier', 'expires', 'issued', 'features', 'id', 'private-key'];

/** Prints a licence, signed with the issuer's private key. */
export async function signLicense(args: readonly string[], { stdout, cwd }: CommandIo): Promise<number> {
  const { values, positionals } = parseWords(args, OPTIONS);
  if (positionals[0] !== undefined) throw new LicenseFault(`license sign takes options alone, not "${positionals[0]}"`);
  const { 'private-key': keyFile = '', features, holder, tier, expires } = values;
  if (!keyFile.startsWith('@'))
    throw new LicenseFault('--private-key takes @FILE: on a command line everybody on the host would see the key');
  // Whole seconds: a licence is written to the second.
  const now = Math.floor(Date.now() / 1000) * 1000;
  const license = parseClaims({
    id: values.id ?? randomUUID(),
    holder,
    tier,
    ...(features === undefined ? {} : { features: features.split(',').map((name) => name.trim()) }),
    issued: values.issued ?? formatTime(now),
    expires,
  });
  stdout.write(`${signToken(license, readPrivateKey(await readText(keyFile.slice(1), cwd)))}\n`);
  return 0;
}

function readPrivateKey(pem: string): KeyObject {
  const key = parse(pem);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new LicenseFault(`the private key is for ${key.asymmetricKeyType ?? 'something else'}, where Ed25519 is needed`);
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch (cause) {
    throw new LicenseFault('the private key is no PEM without a passphrase that can be read', { cause });
  }
}
