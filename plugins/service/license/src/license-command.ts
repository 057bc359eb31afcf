import { PlatenError, type CommandDeclaration } from '@platen/kernel';
import { inspectLicense } from './inspect-license.js';
import { LicenseFault } from './license.js';
import { signLicense } from './sign-license.js';

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
