import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { WrongSetting } from './wrong-setting.js';

const EXPECTED = 'an Ed25519 private key, as PKCS#8 PEM or JWK';

/** The bytes before the 32-byte Ed25519 private key in PKCS#8 (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Reads a PEM (RFC 7468) or JWK (RFC 8037) text. Throws `WrongSetting`, which describes the error without quoting the key. */
export function readPrivateKey(text: string): KeyObject {
  const key = text.trimStart().startsWith('{') ? readJwk(text) : readPem(text);
  if (key.asymmetricKeyType !== 'ed25519') throw wrong(`is ${String(key.asymmetricKeyType)}`);
  return key;
}

/** The public key's coordinate, base64url: `x` of its JWK. */
export function publicCoordinate(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new TypeError('not a key on a curve');
  return x;
}

function readPem(text: string): KeyObject {
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  if (label === undefined) throw wrong('is neither');
  if (label !== 'PRIVATE KEY') throw wrong(`is a PEM of the kind "${label.slice(0, 40)}"`);
  try {
    return createPrivateKey({ key: text, format: 'pem' });
  } catch (cause) {
    throw wrong('is a PEM that cannot be read', cause);
  }
}

function readJwk(text: string): KeyObject {
  const { kty, crv, d, x } = parseObject(text);
  if (kty !== 'OKP' || crv !== 'Ed25519') throw wrong('is a JWK of another kind: its "kty" must be "OKP" and its "crv" "Ed25519"');
  if (typeof d !== 'string') throw wrong('is a JWK without "d", a public key');
  const seed = Buffer.from(d, 'base64url');
  if (seed.length !== 32) throw wrong('is a JWK whose "d" is not 32 bytes in base64url');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  if (x !== undefined && x !== publicCoordinate(key)) throw wrong('is a JWK whose "x" does not belong to its "d"');
  return key;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    // JSON text that begins with a brace is an object.
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw wrong('is not valid JSON', cause);
  }
}

/** The cause may contain a part of the key (JSON.parse quotes invalid input), so only its kind is stored. */
function wrong(problem: string, cause?: unknown): WrongSetting {
  const detail = `must have a KEY that is ${EXPECTED}: this one ${problem}`;
  return cause instanceof Error ? new WrongSetting(detail, { cause: cause.name }) : new WrongSetting(detail);
}
