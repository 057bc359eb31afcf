/**
 * An invalid `AGENT=KEY`. The text has no subject, since the caller adds the name of the parameter or flag, and no part of the private key.
 */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}
