import { PlatenError, type CommandDeclaration } from '@platen/kernel';
import { inspectLicense } from './inspect-license.js';
import { LicenseFault } from './license.js';
import { signLicense } from './sign-license.js';

/** `platen license inspect` for who has a licence, `platen license sign` for who issues them. */
export const LICENSE_COMMAND: CommandDeclaration = {
  name: 'license',
  usage: 'inspect FILE|- | sign --holder NAME --tier TIER --expires DATE --private-key @FILE',
  description: 'Says what a licence allows and whether it holds, or signs one.',
  help: `inspect FILE|- [--public-key KEY]
  Prints holder, tier and dates of the licence in FILE, or on standard input, and whether it holds now. Exit code 0 if it does,
  also in its grace period; 1 if not, or if there is no key to check it with; 2 for a wrong call.

  --public-key KEY    the issuer's public key as PEM, JWK or base64, or @FILE (default: what PLATEN_LICENSE_PUBLIC_KEY holds)

sign --holder NAME --tier free|pro|enterprise --expires DATE --private-key @FILE
  For issuers: prints a licence.

  --private-key @FILE Ed25519 private key in PEM (openssl genpkey -algorithm ed25519)
  --expires DATE      in UTC: 2027-01-31 or 2027-01-31T12:00:00Z; --issued DATE is from when it holds (default: now)
  --features A,B      keys, output types and flags that it allows beyond its tier
  --id ID             its number (default: a random one)

Examples
  platen license sign --holder 'Example Ltd' --tier pro --expires 2027-12-31 --private-key @issuer.pem > license.txt
  platen license inspect license.txt --public-key @issuer.pub`,
  async run([verb, ...args], io) {
    if (verb !== 'inspect' && verb !== 'sign') {
      throw wrong(`license takes "inspect" or "sign"${verb === undefined ? '' : `, not "${verb}"`}; platen license --help says more`);
    }
    try {
      return verb === 'inspect' ? await inspectLicense(args, io) : await signLicense(args, io);
    } catch (error) {
      if (error instanceof LicenseFault) throw wrong(error.message);
      throw error;
    }
  },
};

/** The command line ends with 2 for what it cannot obey. */
function wrong(text: string): PlatenError {
  return new PlatenError('invalid_parameters', text);
}
