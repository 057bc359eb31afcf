import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PlatenError } from '../../errors.js';
import { describeReadError, isMissing } from '../../local-files.js';
import type { ToolDeclaration } from '../../tools.js';
import { createPrivateFolder, type PrivateFolder } from './private-folder.js';

/** The program that creates the browser's certificate database, for reports on the machine. */
export const CERTUTIL: ToolDeclaration = {
  id: 'certutil',
  candidates: [{ name: 'certutil', command: ['certutil', '--build-flags'], prints: '^' }],
  fix: 'apt-get install libnss3-tools',
};

/**
 * Reads the certificate authorities of PEM files (RFC 7468), each with one or more; all else in the files is skipped.
 * @returns one PEM text per certificate, without repetitions
 * @throws PlatenError `boot_invalid_flag` for a file that is unreadable or has no certificate, and for a certificate that is malformed,
 *   out of its validity period, or not of an authority (RFC 5280, 4.2.1.9)
 */
export function readAuthorities(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    const blocks = readFileOf(path).match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    if (blocks.length === 0) throw invalid(path, 'the file contains no certificate in PEM format ("-----BEGIN CERTIFICATE-----")');
    return blocks.map((block, index) => parse(block, (reason) => invalid(path, `certificate ${String(index + 1)} ${reason}`)));
  });
  return [...new Set(found)];
}

function readFileOf(path: string): string {
  try {
    return readFileSync(resolve(path), 'latin1');
  } catch (error) {
    throw invalid(path, describeReadError(error));
  }
}

function parse(block: string, refusal: (reason: string) => PlatenError): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(block);
  } catch {
    throw refusal('cannot be parsed');
  }
  const { subject, validFrom, validTo, ca } = certificate;
  const named = `(${subject.replaceAll('\n', ', ')})`;
  if (Date.parse(validTo) < Date.now()) throw refusal(`${named} expired on ${validTo}`);
  if (Date.parse(validFrom) > Date.now()) throw refusal(`${named} is not valid before ${validFrom}`);
  if (!ca)
    throw refusal(
      `${named} is not a certificate authority (basicConstraints lacks CA:TRUE): use the certificate of the authority that issued it`,
    );
  return certificate.toString();
}

function invalid(path: string, reason: string): PlatenError {
  return new PlatenError('boot_invalid_flag', `--browser-ca-file ${JSON.stringify(path)}: ${reason}`);
}

/** Certificate authorities for browsers, in addition to Chromium's own. */
export interface CertificateDatabase {
  /**
   * Creates the database once; later calls return the same one.
   * @throws PlatenError `boot_invalid_flag` if it cannot be created on this machine
   */
  prepare(): Promise<void>;
  /** Puts a copy into a browser's home folder, where Chromium looks for it. */
  install(folder: PrivateFolder): Promise<void>;
}

/** Milliseconds for both calls of certutil; 150 certificates took 10 s on a slow disk. */
const CERTUTIL_MS = 60_000;

/**
 * An NSS database, which Chromium on Linux reads from `.pki/nssdb` of its home.
 * @param authorities one PEM text per certificate
 * @see https://chromium.googlesource.com/chromium/src/+/main/docs/linux/cert_management.md
 */
export function createCertificateDatabase(authorities: readonly string[]): CertificateDatabase {
  let files: Promise<ReadonlyMap<string, Buffer>> | undefined;
  const make = () => (files ??= makeDatabase(authorities));
  return {
    async prepare() {
      await make();
    },
    async install({ path, owner }) {
      const database = join(path, '.pki', 'nssdb');
      await mkdir(database, { recursive: true, mode: 0o700 });
      const own = async (made: string) => owner && (await chown(made, owner.uid, owner.gid));
      for (const folder of [join(path, '.pki'), database]) await own(folder);
      for (const [name, content] of await make()) {
        await writeFile(join(database, name), content, { mode: 0o600 });
        await own(join(database, name));
      }
    },
  };
}

/** Its files by name: about 60 KiB, read once, so that no folder needs cleanup later. */
async function makeDatabase(authorities: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  if (process.platform !== 'linux')
    throw unavailable('only Linux is supported: on this system, add the authority to the certificates of the operating system');
  const folder = await createPrivateFolder(undefined);
  try {
    const database = join(folder.path, 'db');
    await mkdir(database);
    const commands = authorities.map(async (pem, index) => {
      const file = join(folder.path, `${String(index)}.pem`);
      await writeFile(file, pem);
      // "C": trusted to issue server certificates only.
      return `-A -t C,, -n authority-${String(index)} -i ${file}\n`;
    });
    const batch = join(folder.path, 'batch');
    await writeFile(batch, (await Promise.all(commands)).join(''));
    await runCertutil('-N', '--empty-password', '-d', `sql:${database}`);
    await runCertutil('-B', '-i', batch, '-d', `sql:${database}`);
    const names = await readdir(database);
    return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(database, name))] as const)));
  } finally {
    await folder.remove();
  }
}

async function runCertutil(...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)('certutil', [...args], { timeout: CERTUTIL_MS, killSignal: 'SIGKILL' });
  } catch (cause) {
    if (!isMissing(cause)) throw unavailable(`certutil failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    throw unavailable('the program certutil is required: install it (Debian, Ubuntu: libnss3-tools; Fedora, Alpine: nss-tools)', cause);
  }
}

function unavailable(reason: string, cause?: unknown): PlatenError {
  return new PlatenError('boot_invalid_flag', `--browser-ca-file: ${reason}`, { cause });
}
