import { createPublicKey, type KeyObject } from 'node:crypto';
import { LicenseFault } from './license.js';

const RAW_BYTES = 32;

/**
 * Parses the issuer's public key: PEM (`BEGIN PUBLIC KEY`), a JWK (RFC 8037), or base64 of the 32 bytes or of the DER form.
 *
 * @throws LicenseFault for keys other than Ed25519, and for private keys, which do not belong on a server.
 */
export function parsePublicKey(text: string): KeyObject {
  const given = text.trim();
  const key = given.startsWith('{') ? fromJwk(given) : given.startsWith('-----') ? fromPem(given) : fromBase64(given);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new LicenseFault(`it is a key for ${key.asymmetricKeyType ?? 'something else'}, where Ed25519 is needed`);
}

function fromPem(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw isPrivate();
  if (!pem.startsWith('-----BEGIN PUBLIC KEY-----')) throw new LicenseFault('its PEM block must be a PUBLIC KEY');
  return create(() => createPublicKey({ key: pem, format: 'pem' }));
}

function fromJwk(text: string): KeyObject {
  const { kty, crv, x, d } = parseObject(text);
  if (d !== undefined) throw isPrivate();
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') {
    throw new LicenseFault('its JWK must have "kty": "OKP", "crv": "Ed25519" and "x"');
  }
  return fromX(x);
}

function fromBase64(text: string): KeyObject {
  const plain = text.replaceAll('-', '+').replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) throw new LicenseFault('it is not PEM, JWK or base64');
  const bytes = Buffer.from(plain, 'base64');
  if (bytes.length === RAW_BYTES) return fromX(bytes.toString('base64url'));
  return create(() => createPublicKey({ key: bytes, format: 'der', type: 'spki' }));
}

function fromX(x: string): KeyObject {
  return create(() => createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }));
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Reported below.
  }
  throw new LicenseFault('it looks like a JWK but is not valid JSON');
}

function create(read: () => KeyObject): KeyObject {
  try {
    return read();
  } catch (cause) {
    throw new LicenseFault('it is not a readable public key', { cause });
  }
}

function isPrivate(): LicenseFault {
  return new LicenseFault('it is a private key: give the public key');
}
