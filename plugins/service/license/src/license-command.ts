import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type CommandDeclaration, type CommandIo, describeReadError, PlatenError, readTextFile } from '@platen/kernel';
import { formatTime, type License, LicenseFault, parseClaims, parsePublicKey, readUnverified, signToken, verifyToken } from './license.js';
import { licenseStatusOf } from './license-terms.js';

const UNCHECKED = 'not checked: give the public key with --public-key';

const OPTIONS = ['holder', 'tier', 'expires', 'issued', 'features', 'id', 'private-key'];

/** `platen license inspect` for license holders, `platen license sign` for issuers. */
export const LICENSE_COMMAND: CommandDeclaration = {
  name: 'license',
  usage: 'inspect FILE|- | sign --holder NAME --tier TIER --expires DATE --private-key @FILE',
  description: 'Inspect a license (terms and validity), or sign one.',
  help: `inspect FILE|- [--public-key KEY]
  Prints holder, tier, dates and status of the license in FILE (-: standard input). Exit code 0: valid or in its grace period;
  1: not valid, or no public key to check it with; 2: wrong usage.

  --public-key KEY    the issuer's public key as PEM, JWK or base64, or @FILE (default: PLATEN_LICENSE_PUBLIC_KEY)

sign --holder NAME --tier free|pro|enterprise --expires DATE --private-key @FILE
  For issuers: prints a license.

  --private-key @FILE Ed25519 private key in PEM (openssl genpkey -algorithm ed25519)
  --expires DATE      in UTC: 2027-01-31 or 2027-01-31T12:00:00Z; --issued DATE is the start of validity (default: now)
  --features A,B      parameters, output types and flags that it allows beyond its tier
  --id ID             license number (default: random)

Examples
  platen license sign --holder 'Example Ltd' --tier pro --expires 2027-12-31 --private-key @issuer.pem > license.txt
  platen license inspect license.txt --public-key @issuer.pub`,
  async run([verb, ...args], io) {
    if (verb !== 'inspect' && verb !== 'sign') {
      throw wrong(`license requires "inspect" or "sign"${verb === undefined ? '' : `, not "${verb}"`}; see platen license --help`);
    }
    try {
      return verb === 'inspect' ? await inspectLicense(args, io) : await signLicense(args, io);
    } catch (error) {
      if (error instanceof LicenseFault) throw wrong(error.message);
      throw error;
    }
  },
};

/** Wrong usage: exit code 2. */
function wrong(text: string): PlatenError {
  return new PlatenError('invalid_parameters', text);
}

/** Prints a license signed with the issuer's private key. */
async function signLicense(args: readonly string[], { stdout, cwd }: CommandIo): Promise<number> {
  const { values, positionals } = parseWords(args, OPTIONS);
  if (positionals[0] !== undefined) throw new LicenseFault(`license sign takes only options, unexpected "${positionals[0]}"`);
  const { 'private-key': keyFile = '', features, holder, tier, expires } = values;
  if (!keyFile.startsWith('@'))
    throw new LicenseFault('--private-key requires @FILE: every user of the host can see a key on the command line');
  // Whole seconds: the precision of a license.
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
    throw new LicenseFault('the private key is not a readable PEM without a passphrase', { cause });
  }
}

/** Prints the terms and validity of a license. Resolves with 0 only if it is valid. */
async function inspectLicense(args: readonly string[], { stdout, stderr, environment, cwd }: CommandIo): Promise<number> {
  const { values, positionals } = parseWords(args, ['public-key']);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new LicenseFault('license inspect requires one file, or - for standard input');
  const given = values['public-key'] ?? environment.PLATEN_LICENSE_PUBLIC_KEY ?? '';
  const key = given === '' ? undefined : parsePublicKey(await readGiven(given, cwd));
  const token = await readText(file, cwd);
  const license = attempt(() => readUnverified(token));
  if (license instanceof LicenseFault) {
    stderr.write(`platen: this license is not valid: ${license.message}\n`);
    return 1;
  }
  const verified = key === undefined ? undefined : attempt(() => verifyToken(token, key));
  const { state, words } = licenseStatusOf(license, Date.now());
  const isGood = verified !== undefined && !(verified instanceof LicenseFault);
  const holds = isGood && ['valid', 'ending', 'grace'].includes(state);
  stdout.write(
    describe(license, { signature: isGood ? 'good' : verified === undefined ? UNCHECKED : 'does not match the public key', words, holds }),
  );
  return holds ? 0 : 1;
}

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

/**
 * Parses options with values, and positionals.
 *
 * @throws LicenseFault for unknown options.
 */
function parseWords(args: readonly string[], names: readonly string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { values, positionals };
  } catch (error) {
    throw new LicenseFault(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

/** `KEY` itself, or `@FILE` that contains the key. */
async function readGiven(given: string, cwd: string): Promise<string> {
  return given.startsWith('@') ? await readText(given.slice(1), cwd) : given;
}

/** The text of a file, or of standard input (`-`). */
async function readText(path: string, cwd: string): Promise<string> {
  if (path === '-') return await text(process.stdin);
  return await readTextFile(resolve(cwd, path)).catch((error: unknown) => {
    throw new LicenseFault(`cannot read ${path}: ${describeReadError(error)}`);
  });
}
