import { createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LicenseFault, parsePublicKey, parseTime, verifyToken } from '../../../../plugins/service/license/src/license.js';
import { claimsOf, createIssuer, signJws } from './issuer.js';

const issuer = createIssuer();
const stranger = createIssuer();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const good = issuer.issue({ features: ['server-cache'] });
const [header = '', payload = '', signature = ''] = good.split('.');
const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (claims: object, more?: object) =>
  signJws(claims, { key: issuer.privateKey, ...(more === undefined ? {} : { header: more }) });

/** The public key as the secret of an HMAC: what a verifier accepts that believes the header. */
function confused(): string {
  const input = `${json({ alg: 'HS256', typ: 'platen-license' })}.${payload}`;
  return `${input}.${createHmac('sha256', issuer.pem).update(input).digest('base64url')}`;
}

describe('a licence', () => {
  it('is what its issuer has signed', () => {
    expect(verifyToken(good, issuer.publicKey)).toMatchObject({
      id: 'L-1',
      holder: 'Example Ltd',
      tier: 'pro',
      features: ['server-cache'],
    });
    expect(verifyToken(`  ${good}\n`, issuer.publicKey)).toMatchObject({ tier: 'pro' });
    expect(verifyToken(signed(claimsOf({ later: true }), { kid: '2026' }), issuer.publicKey)).toMatchObject({ tier: 'pro' });
  });

  it.each([
    ['another issuer', stranger.issue(), /signature/],
    ['a changed payload', `${header}.${json(claimsOf({ tier: 'enterprise' }))}.${signature}`, /signature/],
    ['a changed header', `${json({ typ: 'platen-license', alg: 'EdDSA' })}.${payload}.${signature}`, /signature/],
    [
      'a signature cut short',
      `${header}.${payload}.${Buffer.from(signature, 'base64url').subarray(0, 63).toString('base64url')}`,
      /signature/,
    ],
    ['a signature of zeros', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`, /signature/],
    ['no signature at all', `${header}.${payload}.`, /three base64url parts/],
    ['"alg": "none"', `${json({ alg: 'none', typ: 'platen-license' })}.${payload}.${signature}`, /"alg"/],
    ['HMAC with the public key for a secret', confused(), /"alg"/],
    ['RSA', signJws(claimsOf(), { key: rsa.privateKey, header: { alg: 'RS256' } }), /"alg"/],
    ['a key of its own in the header', signed(claimsOf(), { jwk: stranger.publicKey.export({ format: 'jwk' }) }), /members other than/],
    ['critical headers', signed(claimsOf(), { crit: ['exp'] }), /members other than/],
    ['another kind of token by the same key', signed(claimsOf(), { typ: 'JWT' }), /"typ"/],
    ['two parts', `${header}.${payload}`, /three base64url parts/],
    ['four parts', `${good}.${signature}`, /three base64url parts/],
    ['padding', `${header}.${payload}.${signature}==`, /three base64url parts/],
    ['bits that a decoder drops', `${header}.${payload}.${signature.slice(0, -1)}B`, /three base64url parts/],
    ['garbage', 'garbage', /three base64url parts/],
    ['emptiness', '', /three base64url parts/],
    ['a long text', `${'A'.repeat(20_000)}.AA.AA`, /three base64url parts/],
    ['a header that is no JSON', `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`, /header is not valid JSON/],
    ['an empty header', `${json(null)}.${payload}.${signature}`, /"alg"/],
  ])('is not one with %s', (_case, token, text) => {
    expect(() => verifyToken(token, issuer.publicKey)).toThrow(LicenseFault);
    expect(() => verifyToken(token, issuer.publicKey)).toThrow(text);
  });

  it.each([
    ['holder', { holder: '' }],
    ['holder', { holder: 'a\nb' }],
    ['holder', { holder: 7 }],
    ['id', { id: undefined }],
    ['tier', { tier: 'gold' }],
    ['tier', { tier: 'toString' }],
    ['features', { features: 'server-cache' }],
    ['features', { features: ['Not a name'] }],
    ['issued', { issued: 'yesterday' }],
    ['expires', { expires: 1_900_000_000 }],
    ['expires', { expires: '2027-02-30' }],
    ['expires', { expires: '2020-01-01' }],
  ])('is not one whose "%s" is wrong: %j', (name, claims) => {
    expect(() => verifyToken(signed(claimsOf(claims)), issuer.publicKey)).toThrow(name);
  });

  it('has dates that exist, in UTC', () => {
    expect(parseTime('2028-02-29')).toBe(Date.UTC(2028, 1, 29));
    expect(parseTime('2028-02-29T12:30:00Z')).toBe(Date.UTC(2028, 1, 29, 12, 30));
    for (const text of ['2027-02-29', '2027-13-01', '2027-01-01T25:00:00Z', '2027-01-01T00:00:00+01:00', '01/02/2027', '']) {
      expect(parseTime(text), text).toBeUndefined();
    }
  });
});

describe('a public key', () => {
  const { x = '' } = issuer.publicKey.export({ format: 'jwk' });
  const der = issuer.publicKey.export({ type: 'spki', format: 'der' });

  it.each([
    ['PEM', issuer.pem],
    ['PEM with blanks around', `\n${issuer.pem}\n`],
    ['a JWK', JSON.stringify(issuer.publicKey.export({ format: 'jwk' }))],
    ['base64url of its bytes', x],
    ['base64 of its bytes', Buffer.from(x, 'base64url').toString('base64')],
    ['base64 of its DER form', der.toString('base64')],
  ])('is read from %s', (_form, text) => {
    expect(parsePublicKey(text).equals(issuer.publicKey)).toBe(true);
  });

  it.each([
    ['an RSA key', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString(), /rsa/],
    [
      'an EC key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      /ec/,
    ],
    ['an X25519 key', generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(), /x25519/],
    ['a private key in PEM', issuer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), /private/],
    ['a private JWK', JSON.stringify(issuer.privateKey.export({ format: 'jwk' })), /private/],
    ['a symmetric JWK', JSON.stringify({ kty: 'oct', k: x }), /OKP/],
    ['a JWK of another curve', JSON.stringify({ kty: 'OKP', crv: 'X25519', x }), /Ed25519/],
    ['a JWK that is too short', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }), /cannot|not a readable public key/],
    ['broken JSON', '{"kty":', /not valid JSON/],
    ['a broken PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /not a readable public key/],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /PUBLIC KEY/],
    ['31 bytes', Buffer.alloc(31).toString('base64'), /not a readable public key/],
    ['words', 'no key at all', /not PEM, JWK or base64/],
  ])('is not %s', (_case, text, message) => {
    expect(() => parsePublicKey(text)).toThrow(LicenseFault);
    expect(() => parsePublicKey(text)).toThrow(message);
  });
});
