/** An `AGENT=KEY` that cannot be used. Its text has no subject (whoever reports it knows the key or flag) and no part of the private key. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}
