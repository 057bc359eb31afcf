import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export const DAY = 86_400_000;

/** An issuer of licences: no code of the plugin's takes part. */
export function createIssuer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { publicKey, privateKey, pem, issue: (claims?: object) => signJws(claimsOf(claims), { key: privateKey }) };
}

export function claimsOf(claims: object = {}): object {
  return { id: 'L-1', holder: 'Example Ltd', tier: 'pro', issued: at(-DAY), expires: at(300 * DAY), ...claims };
}

/** That many milliseconds from now, to the second. */
export const at = (ms: number) => new Date(Date.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

export function signJws(claims: object, { key, header = {} }: { key: KeyObject; header?: object }): string {
  const input = `${encode({ alg: 'EdDSA', typ: 'platen-license', ...header })}.${encode(claims)}`;
  return `${input}.${sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.from(input), key).toString('base64url')}`;
}
