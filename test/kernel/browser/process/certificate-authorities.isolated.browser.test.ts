import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definePlugin, findBrowsers, type Outbound } from '@platen/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCertificateDatabase, readAuthorities } from '../../../../kernel/src/browser/process/certificate-authorities.js';
import { openProber } from '../../../plugins/page/probe.js';
import { openPrivateSite, type PrivateSite } from './private-authority.js';

const DAY_MS = 86_400_000;

let site: PrivateSite;
let other: PrivateSite;
let outbound: Outbound;
const file = (name: string) => join(site.folder, name);

/** Hands out what the server itself fetches with. */
const fetching = definePlugin({
  name: 'fetching',
  apply(api) {
    ({ outbound } = api);
  },
});
const fetchPage = async () => (await outbound.fetch(site.url, { maxBytes: 1000, timeoutMs: 10_000 })).body.toString();

beforeAll(async () => {
  site = await openPrivateSite('<script>report = "loaded"</script>');
  other = await openPrivateSite('');
  const [one, two] = await Promise.all([readFile(file('authority.pem'), 'utf8'), readFile(join(other.folder, 'authority.pem'), 'utf8')]);
  await writeFile(file('both.pem'), `Issuer: other\n${two}\nIssuer: one\r\n${one.replaceAll('\n', '\r\n')}${two}`);
  await writeFile(file('words.pem'), 'no certificate');
  await writeFile(file('garbage.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
});
afterAll(async () => {
  await Promise.all([site[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
});
afterEach(() => {
  vi.useRealTimers();
});

describe('--browser-ca-file', () => {
  it.each([
    ['shell', 'authority.pem'],
    ['full', 'both.pem'],
  ] as const)('lets pages (%s) and the server itself reach a host that %s vouches for', async (variant, name) => {
    const browser = (await findBrowsers())[variant];
    const flags = { 'browser-ca-file': [file(name)], 'browser-path': browser?.path ?? `no ${variant}` };
    await using prober = openProber({ plugins: [fetching], flags });
    expect((await prober.probe({ url: site.url })).report).toBe('loaded');
    expect(await fetchPage()).toContain('loaded');
  });

  it.each([
    ['no flag', undefined],
    ['another authority', 'authority.pem'],
  ])('is named where a certificate is not trusted: %s', async (_case, name) => {
    const flags = name === undefined ? {} : { 'browser-ca-file': [join(other.folder, name)] };
    await using prober = openProber({ plugins: [fetching], flags });
    await expect(prober.probe({ url: site.url })).rejects.toMatchObject({
      code: 'target_unreachable',
      message: expect.stringContaining('--browser-ca-file') as string,
      details: { target: { net_error: 'net::ERR_CERT_AUTHORITY_INVALID' }, retryable: false },
    });
    await expect(fetchPage()).rejects.toThrow('--browser-ca-file');
  });

  it('keeps the boot from going on without certutil, and names its package', async () => {
    vi.stubEnv('PATH', '/nowhere');
    try {
      await using prober = openProber({ flags: { 'browser-ca-file': [file('authority.pem')] } });
      await expect(prober.host.kernel.prepare()).rejects.toMatchObject({
        code: 'boot_invalid_flag',
        message: expect.stringMatching(/--browser-ca-file.*certutil.*libnss3-tools/) as string,
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('readAuthorities', () => {
  it('reads every certificate of every file once', () => {
    const subjects = readAuthorities([file('both.pem'), file('authority.pem')]).map((pem) => new X509Certificate(pem).fingerprint256);
    expect(new Set(subjects).size).toBe(2);
    expect(subjects).toHaveLength(2);
  });

  it.each([
    ['missing.pem', 0, /: there is no such file$/],
    ['words.pem', 0, /: the file contains no certificate in PEM format/],
    ['garbage.pem', 0, /: certificate 1 cannot be parsed$/],
    ['authority.pem', 3, /: certificate 1 \(CN=Private authority\) expired on .+ GMT$/],
    ['authority.pem', -1, /: certificate 1 \(CN=Private authority\) is not valid before .+ GMT$/],
    ['server.pem', 0, /: certificate 1 \(CN=Private server\) is not a certificate authority/],
  ])('refuses %s, %i days from now', (name, days, message) => {
    vi.useFakeTimers({ now: Date.now() + days * DAY_MS, toFake: ['Date'] });
    expect(() => readAuthorities([file(name)])).toThrow(
      expect.objectContaining({ code: 'boot_invalid_flag', message: expect.stringMatching(message) as string }),
    );
  });
});

it('makes the database once, and leaves no folder behind', async () => {
  const temporary = await mkdtemp(join(site.folder, 'tmp-'));
  vi.stubEnv('TMPDIR', temporary);
  const database = createCertificateDatabase(readAuthorities([file('both.pem')]));
  await database.prepare();
  vi.stubEnv('PATH', '/nowhere');
  await database.prepare();
  vi.unstubAllEnvs();
  expect(await readdir(temporary)).toEqual([]);
});
