import { sign, verify, type KeyObject } from 'node:crypto';
import { LicenseFault, parseClaims, toClaims, type License } from './license.js';

/** The only accepted header: other documents signed with the same key are not licenses. */
const HEADER = { alg: 'EdDSA', typ: 'platen-license' } as const;
const SIGNATURE_BYTES = 64;
const MAX_LENGTH = 16_384;

interface TokenParts {
  readonly header: string;
  readonly payload: string;
  readonly signature: Buffer;
}

/**
 * Verifies a compact JWS (RFC 7515, RFC 8037) and returns its license.
 *
 * @throws LicenseFault if the token or its signature is not valid.
 */
export function verifyToken(token: string, key: KeyObject): License {
  const parts = split(token);
  if (!isSignedBy(parts, key)) throw new LicenseFault('its signature does not match the public key');
  return parseClaims(parseJson(parts.payload, 'payload'));
}

/** Reads a token without verification. The result must not permit anything. */
export function readUnverified(token: string): License {
  return parseClaims(parseJson(split(token).payload, 'payload'));
}

export function signToken(license: License, privateKey: KeyObject): string {
  const input = [HEADER, toClaims(license)].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}

function split(token: string): TokenParts {
  const parts = token.trim().split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3 || token.length > MAX_LENGTH || !parts.every(isBase64Url)) {
    throw new LicenseFault('it is not a license: a license is three base64url parts separated by dots');
  }
  assertHeader(parseJson(header, 'header'));
  return { header, payload, signature: Buffer.from(signature, 'base64url') };
}

/** Refuses unused trailing bits, so that each content has one encoding. */
function isBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

/** The verifier chooses the algorithm: headers with another algorithm or more members are refused. */
function assertHeader(header: unknown): void {
  const { alg, typ, kid, ...others }: Readonly<Record<string, unknown>> = typeof header === 'object' ? { ...header } : {};
  if (alg !== HEADER.alg) throw new LicenseFault(`its header must contain "alg": "${HEADER.alg}"`);
  if (typ !== HEADER.typ) throw new LicenseFault(`its header must contain "typ": "${HEADER.typ}"`);
  const isPlain = Object.keys(others).length === 0 && (kid === undefined || typeof kid === 'string');
  if (!isPlain) throw new LicenseFault('its header contains members other than "alg", "typ" and "kid"');
}

function isSignedBy({ header, payload, signature }: TokenParts, key: KeyObject): boolean {
  return signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(`${header}.${payload}`), key, signature);
}

function parseJson(part: string, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch (cause) {
    throw new LicenseFault(`its ${name} is not valid JSON`, { cause });
  }
}
