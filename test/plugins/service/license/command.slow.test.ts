import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import license from '@platen/plugin-license';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../../helpers/run-cli.js';
import { at, claimsOf, createIssuer, DAY } from './issuer.js';

const CLI = fileURLToPath(new URL('../../../../server/dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'platen-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const issuer = createIssuer();
const write = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
write('issuer.pub', issuer.pem);
write('issuer.pem', issuer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

/** The command itself, without the command line around it. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const out: string[] = [];
  const io = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => out.push(text) },
    environment,
    cwd: folder,
    openServer: () => Promise.reject(new Error('a license needs no server')),
  };
  const code = await license.commands?.[0]?.run(args, io);
  return { code, text: out.join('') };
}

const KEY = ['--public-key', '@issuer.pub'];

describe('platen license inspect', () => {
  it('prints holder, tier, dates and validity, and ends with 0', async () => {
    write('good', issuer.issue({ features: ['server-cache'] }));
    const { code, text } = await run(['inspect', 'good', ...KEY]);
    expect(code).toBe(0);
    expect(text).toMatch(
      /holder +Example Ltd\nid +L-1\ntier +pro\nfeatures +server-cache\nissued +\d{4}-.*\nexpires +\d{4}-.*\nsignature +good\n/,
    );
    expect(text).toMatch(/valid +yes\n$/);
  });

  it.each([
    ['in its grace period', issuer.issue({ issued: at(-99 * DAY), expires: at(-DAY) }), 0, /accepted until[^]*valid +yes/],
    ['expired', issuer.issue({ issued: at(-99 * DAY), expires: at(-15 * DAY) }), 1, /expired on[^]*valid +no/],
    ['not yet valid', issuer.issue({ issued: at(DAY) }), 1, /not valid before[^]*valid +no/],
    ["another issuer's", createIssuer().issue(), 1, /does not match[^]*valid +no/],
    ['garbage', 'garbage', 1, /not valid: it is not a license/],
  ])('%s', async (_case, token, expected, pattern) => {
    write('token', token);
    const { code, text } = await run(['inspect', 'token', ...KEY]);
    expect({ code, text }).toEqual({ code: expected, text: expect.stringMatching(pattern) });
  });

  it('without a key it does not say yes; the key may stand in the environment', async () => {
    write('good', issuer.issue());
    expect(await run(['inspect', 'good'])).toEqual({ code: 1, text: expect.stringMatching(/not checked[^]*valid +no/) });
    expect(await run(['inspect', 'good'], { PLATEN_LICENSE_PUBLIC_KEY: issuer.pem })).toMatchObject({ code: 0 });
  });

  it('reads standard input, as a word of the command line', () => {
    const args = [CLI, 'license', 'inspect', '-', '--public-key', `@${join(folder, 'issuer.pub')}`];
    const { status, stdout } = spawnSync(process.execPath, args, { input: issuer.issue(), encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Example Ltd') });
  });

  it.each([
    [[]],
    [['look']],
    [['inspect']],
    [['inspect', 'a', 'b']],
    [['inspect', 'nowhere']],
    [['inspect', 'good', '--public-key', '@nowhere']],
    [['sign', '--colour', 'red']],
  ])('a wrong call is refused: %j', async (args) => {
    await expect(run(args)).rejects.toMatchObject({ code: 'invalid_parameters' });
  });
});

describe('platen license sign', () => {
  const WHOM = ['--holder', 'Example Ltd', '--tier', 'pro', '--expires', '2099-12-31'];

  it('makes licences that hold', async () => {
    const { code, text } = await run(['sign', ...WHOM, '--features', 'server-cache, costly', '--private-key', '@issuer.pem']);
    write('signed', text);
    expect(code).toBe(0);
    expect(await run(['inspect', 'signed', ...KEY])).toEqual({ code: 0, text: expect.stringMatching(/features +server-cache, costly/) });
  });

  it('makes signatures that OpenSSL accepts', async () => {
    const { text } = await run(['sign', ...WHOM, '--private-key', '@issuer.pem']);
    const [header, payload, signature = ''] = text.trim().split('.');
    write('input', `${String(header)}.${String(payload)}`);
    writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64url'));
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', 'issuer.pub', '-rawin', '-in', 'input', '-sigfile', 'signature'];
    expect(execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' })).toContain('Verified Successfully');
  });

  it('is not needed: a licence signed by OpenSSL alone holds', async () => {
    execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', 'other.pem'], { cwd: folder });
    execFileSync('openssl', ['pkey', '-in', 'other.pem', '-pubout', '-out', 'other.pub'], { cwd: folder });
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const input = `${encode({ alg: 'EdDSA', typ: 'platen-license' })}.${encode(claimsOf())}`;
    write('input', input);
    execFileSync('openssl', ['pkeyutl', '-sign', '-inkey', 'other.pem', '-rawin', '-in', 'input', '-out', 'signature'], { cwd: folder });
    write('token', `${input}.${readFileSync(join(folder, 'signature')).toString('base64url')}`);
    expect(await run(['inspect', 'token', '--public-key', '@other.pub'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['the key itself', ['--private-key', 'MC4C']],
    ['a public key', ['--private-key', '@issuer.pub']],
    ['an RSA key', ['--private-key', '@rsa.pem']],
    ['an unknown tier', ['--private-key', '@issuer.pem', '--tier', 'gold']],
    ['a day that does not exist', ['--private-key', '@issuer.pem', '--expires', '2099-02-30']],
    ['a word too many', ['--private-key', '@issuer.pem', 'more']],
  ])('refuses %s', async (_case, args) => {
    write('rsa.pem', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    await expect(run(['sign', ...WHOM, ...args])).rejects.toMatchObject({ code: 'invalid_parameters' });
  });
});

describe('a server that is not licensed', () => {
  it('ends with 2 and says which flag needs which tier', async () => {
    const { code, stderr } = await runCli([
      '--server',
      '--server-bind-port',
      '0',
      '--plugins',
      'license,png',
      '--license-public-key',
      `@${join(folder, 'issuer.pub')}`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--server requires the tier pro: no license is given');
  });
});
