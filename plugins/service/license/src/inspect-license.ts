import type { CommandIo } from '@platen/kernel';
import { parseWords, readGiven, readText } from './command-input.js';
import { formatTime, LicenseFault, type License } from './license.js';
import { parsePublicKey } from './public-key.js';
import { licenseStatusOf } from './license-status.js';
import { readUnverified, verifyToken } from './token.js';

/** Prints what a licence says and whether it holds; resolves with 0 only if it does. */
export async function inspectLicense(args: readonly string[], { stdout, stderr, environment, cwd }: CommandIo): Promise<number> {
  const { values, positionals } = parseWords(args, ['public-key']);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new LicenseFault('license inspect takes one file, or - for standard input');
  const given = values['public-key'] ?? environment.PLATEN_LICENSE_PUBLIC_KEY ?? '';
  const key = given === '' ? undefined : parsePublicKey(await readGiven(given, cwd));
  const token = await readText(file, cwd);
  const license = attempt(() => readUnverified(token));
  if (license instanceof LicenseFault) {
    stderr.write(`platen: this licence is not valid: ${license.message}\n`);
    return 1;
  }
  const verified = key === undefined ? undefined : attempt(() => verifyToken(token, key));
  const { state, words } = licenseStatusOf(license, Date.now());
  const isGood = verified !== undefined && !(verified instanceof LicenseFault);
  const holds = isGood && ['valid', 'ending', 'grace'].includes(state);
  stdout.write(
    describe(license, { signature: isGood ? 'good' : verified === undefined ? UNCHECKED : 'does not fit the public key', words, holds }),
  );
  return holds ? 0 : 1;
}

const UNCHECKED = 'not checked: give the public key with --public-key';

interface Verdict {
  readonly signature: string;
  readonly words: string;
  readonly holds: boolean;
}

function describe({ id, holder, tier, features, issued, expires }: License, { signature, words, holds }: Verdict): string {
  const rows = {
    holder,
    id,
    tier,
    ...(features.length === 0 ? {} : { features: features.join(', ') }),
    issued: formatTime(issued),
    expires: formatTime(expires),
    signature,
    dates: words,
    valid: holds ? 'yes' : 'no',
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(10)} ${value}\n`)
    .join('');
}

function attempt(read: () => License): License | LicenseFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof LicenseFault) return error;
    throw error;
  }
}
