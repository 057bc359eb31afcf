import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** The tiers of the interface specification, lowest first. */
export const TIERS = ['free', 'pro', 'enterprise'] as const;

export type Tier = (typeof TIERS)[number];

/** The signed payload of a license. */
export interface License {
  readonly id: string;
  readonly holder: string;
  readonly tier: Tier;
  /** Parameters, output types and flags (without leading dashes) allowed beyond the tier. */
  readonly features: readonly string[];
  /** Unix time in milliseconds, as `expires`. */
  readonly issued: number;
  readonly expires: number;
}

/** An invalid license or public key. The message completes a sentence: "--license-key is not valid: …". */
export class LicenseFault extends Error {
  override readonly name = 'LicenseFault';
}

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

const MAX_TEXT = 200;
const MAX_FEATURES = 200;

/**
 * Validates the payload. Ignores unknown members, which newer versions may define.
 *
 * @throws LicenseFault if a member is not valid.
 */
export function parseClaims(payload: unknown): License {
  if (typeof payload !== 'object' || payload === null) throw new LicenseFault('its payload is not a JSON object');
  const claims: Readonly<Record<string, unknown>> = { ...payload };
  const license = {
    id: textOf(claims, 'id'),
    holder: textOf(claims, 'holder'),
    tier: tierOf(claims.tier),
    features: featuresOf(claims.features),
    issued: timeOf(claims, 'issued'),
    expires: timeOf(claims, 'expires'),
  };
  if (license.expires <= license.issued) throw new LicenseFault('it expires before it is issued');
  return license;
}

/** Converts a license to its payload. */
function toClaims({ issued, expires, features, ...rest }: License): object {
  return { ...rest, ...(features.length === 0 ? {} : { features }), issued: formatTime(issued), expires: formatTime(expires) };
}

/** RFC 3339 in UTC, to the second: `2027-01-31T00:00:00Z`. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** `2027-01-31`, or with a time of day in UTC: `2027-01-31T12:00:00Z`. Undefined for anything else. */
export function parseTime(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  // `Date` would read a day that the month does not have as a day of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10)) ? time : undefined;
}

function textOf(claims: Readonly<Record<string, unknown>>, name: string): string {
  const value = claims[name];
  // Printed and logged texts must not contain control characters.
  if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !/\p{Cc}/u.test(value)) return value;
  throw new LicenseFault(`its "${name}" must be a string of 1 to ${MAX_TEXT} characters`);
}

function tierOf(value: unknown): Tier {
  const tier = TIERS.find((each) => each === value);
  if (tier === undefined) throw new LicenseFault(`its "tier" must be one of ${TIERS.join(', ')}`);
  return tier;
}

function featuresOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.length <= MAX_FEATURES;
  if (isList && value.every((item) => typeof item === 'string' && /^[a-z][a-z0-9_-]{0,99}$/.test(item))) return value.map(String);
  throw new LicenseFault('its "features" must be a list of names of parameters, output types and flags');
}

function timeOf(claims: Readonly<Record<string, unknown>>, name: string): number {
  const value = claims[name];
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) throw new LicenseFault(`its "${name}" must be a date in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z`);
  return time;
}

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
