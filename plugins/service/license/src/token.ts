import { sign, verify, type KeyObject } from 'node:crypto';
import { LicenseFault, parseClaims, toClaims, type License } from './license.js';

/** The one header that there is: what else the same key may have signed is no licence. */
const HEADER = { alg: 'EdDSA', typ: 'platen-license' } as const;
const SIGNATURE_BYTES = 64;
const MAX_LENGTH = 16_384;

interface TokenParts {
  readonly header: string;
  readonly payload: string;
  readonly signature: Buffer;
}

/** The licence of a compact JWS (RFC 7515, RFC 8037) that the key's owner has signed. Throws `LicenseFault`. */
export function verifyToken(token: string, key: KeyObject): License {
  const parts = split(token);
  if (!isSignedBy(parts, key)) throw new LicenseFault('its signature does not fit the public key');
  return parseClaims(parseJson(parts.payload, 'payload'));
}

/** What a token says, whoever has signed it: nothing may be allowed by it. */
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
    throw new LicenseFault('it is no licence: a licence is three parts of base64url with dots between them');
  }
  assertHeader(parseJson(header, 'header'));
  return { header, payload, signature: Buffer.from(signature, 'base64url') };
}

/** One spelling for one content: bits that a decoder would drop are refused. */
function isBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

/** The algorithm is this side's to choose: a header that asks for another, or for more, is not obeyed. */
function assertHeader(header: unknown): void {
  const { alg, typ, kid, ...others }: Readonly<Record<string, unknown>> = typeof header === 'object' ? { ...header } : {};
  if (alg !== HEADER.alg) throw new LicenseFault(`its header must say "alg": "${HEADER.alg}"`);
  if (typ !== HEADER.typ) throw new LicenseFault(`its header must say "typ": "${HEADER.typ}"`);
  const isPlain = Object.keys(others).length === 0 && (kid === undefined || typeof kid === 'string');
  if (!isPlain) throw new LicenseFault('its header says more than "alg", "typ" and "kid"');
}

function isSignedBy({ header, payload, signature }: TokenParts, key: KeyObject): boolean {
  return signature.length === SIGNATURE_BYTES && verify(null, Buffer.from(`${header}.${payload}`), key, signature);
}

function parseJson(part: string, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch (cause) {
    throw new LicenseFault(`its ${name} is no JSON`, { cause });
  }
}
