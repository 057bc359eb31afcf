import { generateKeyPairSync } from 'node:crypto';
import { expect, it, test } from 'vitest';
import { parseSetting } from '../../../../plugins/page/web-bot-auth/src/parse-setting.js';
import { createKey, toDataUrl } from './keys.js';

const { pem, jwk } = createKey();
const text = JSON.stringify(jwk);
const other = createKey().jwk;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const publicPem = String(createKey().publicKey.export({ format: 'pem', type: 'spki' }));
const locked = String(
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' }),
);

it.each([
  ['PEM', toDataUrl(pem)],
  ['PEM in base64', toDataUrl(pem, 'base64')],
  ['PEM in base64 with escaped padding', encodeURI(toDataUrl(pem, 'base64')).replaceAll('=', '%3D')],
  ['PEM as it is', `data:,${pem}`],
  ['JWK', toDataUrl(text)],
  ['JWK in base64', toDataUrl(text, 'base64')],
  ['JWK with more than it needs', toDataUrl(JSON.stringify({ ...jwk, kid: 'a', use: 'sig', alg: 'EdDSA' }))],
  ['JWK without its public half', toDataUrl(JSON.stringify({ ...jwk, x: undefined }))],
])('a KEY may be a %s', (_form, key) => {
  const setting = parseSetting(`https://bot.example=${key}`);
  expect(setting.agent).toBe('https://bot.example');
  expect('export' in setting.key ? setting.key.export({ format: 'jwk' }) : undefined).toEqual(jwk);
});

it.each(['https://keys.test/key?a=b=c', 'http://127.0.0.1:81/key.pem'])('a KEY may lie at %s', (url) => {
  expect(parseSetting(`https://bot.example=${url}`).key).toEqual(new URL(url));
});

it.each([
  ['https://bot.example/', 'https://bot.example'],
  ['HTTPS://Bot.Example:443', 'https://bot.example'],
  ['https://bücher.example:8443', 'https://xn--bcher-kva.example:8443'],
])('the AGENT %s is the origin %s', (agent, origin) => {
  expect(parseSetting(`${agent}=${toDataUrl(pem)}`).agent).toBe(origin);
});

it.each([
  'http://bot.example',
  'bot.example',
  '',
  'https://bot.example/path',
  'https://bot.example?',
  'https://bot.example/#',
  'https://u:p@bot.example',
])('the AGENT %j is refused', (agent) => {
  expect(() => parseSetting(`${agent}=${toDataUrl(pem)}`)).toThrow(/^must begin with the AGENT, an https:\/\/ origin/);
});

test.each([
  ['https://bot.example', 'must have the form AGENT=KEY'],
  ['https://bot.example=', 'must end with the KEY, a data:, http:// or https:// URL'],
  [`https://bot.example=${pem}`, 'must end with the KEY'],
  ['https://bot.example=file:///etc/key', 'must end with the KEY'],
  ['https://bot.example=data:;base64', 'the comma before the data is missing'],
  ['https://bot.example=data:;base64,§', 'does not contain valid base64'],
  ['https://bot.example=data:,%ZZ', 'invalid percent escape'],
  ['https://bot.example=data:,hello', 'this one is neither'],
  ['https://bot.example=data:,{"d":', 'this one is not valid JSON'],
  [`https://bot.example=${toDataUrl(pem.replace(/M/, '!'))}`, 'a PEM that cannot be read'],
  [`https://bot.example=${toDataUrl(publicPem)}`, 'a PEM of the kind "PUBLIC KEY"'],
  [`https://bot.example=${toDataUrl(locked)}`, 'a PEM of the kind "ENCRYPTED PRIVATE KEY"'],
  [`https://bot.example=${toDataUrl(String(rsa.export({ format: 'pem', type: 'pkcs8' })))}`, 'this one is rsa'],
  [`https://bot.example=${toDataUrl(JSON.stringify(ec.export({ format: 'jwk' })))}`, 'its "kty" must be "OKP" and its "crv" "Ed25519"'],
  [`https://bot.example=${toDataUrl(JSON.stringify({ ...jwk, d: undefined }))}`, 'a JWK without "d", a public key'],
  [`https://bot.example=${toDataUrl(JSON.stringify({ ...jwk, d: 'AAAA' }))}`, '"d" is not 32 bytes'],
  [`https://bot.example=${toDataUrl(JSON.stringify({ ...jwk, x: other['x'] }))}`, '"x" does not belong to its "d"'],
])('what is wrong is told without the key (%#)', (setting, detail) => {
  const told = (() => {
    try {
      return parseSetting(setting).agent;
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  })();
  expect(told).toContain(detail);
  expect(told).not.toContain(String(jwk['d']).slice(0, 12));
});
