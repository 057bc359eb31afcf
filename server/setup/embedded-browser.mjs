import { chmodSync, createReadStream, createWriteStream, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { withNpmArchive } from './npm-archive.mjs';
import { lastLines, runCommand } from './run-command.mjs';

/** The newest version for Node 20. It gets outdated, so it is the last resort. */
const PACKAGE = {
  name: '@sparticuz/chromium@147.0.0',
  integrity: 'sha512-4ZKeAQQa8up2mt675qSitztLdbQrlf8BKdC5naeap+5Mv1OV1OlJdPoU+EJC/p5sQUJUQmN4r+q5+EhaaOUHpQ==',
};

const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Finds its own folder at run time, so that the clone can be moved. */
const WITH_FONTS = `#!/bin/sh
here=$(dirname "$0")
FONTCONFIG_FILE="\${FONTCONFIG_FILE:-$here/fonts.conf}" exec "$here/headless_shell" "$@"
`;

/**
 * @param {{ platform: string, arch: string, report?: { getReport(): object } }} [machine]
 * @returns {string | undefined} why the browser of the npm package cannot run on this machine
 */
export function whyNoEmbedded({ platform, arch, report } = process) {
  if (platform !== 'linux' || arch !== 'x64')
    return `the browser of the npm package runs on Linux x64 only; this is ${platform} on ${arch}`;
  const glibc = report?.getReport().header.glibcVersionRuntime;
  return glibc === undefined ? 'the browser of the npm package requires glibc, which this Linux does not use' : undefined;
}

/**
 * Installs a headless shell in `.runtime/chromium/`, where the kernel looks for it: `chromium`, with the WebGL libraries beside it, and
 * `lib/` and `fonts/` if the system has none.
 */
export async function installEmbeddedBrowser(root) {
  await withNpmArchive({ root, ...PACKAGE }, async (folder) => {
    const staging = mkdtempSync(join(root, '.runtime', 'chromium-'));
    try {
      await unpackBrowser(join(folder, 'bin'), staging);
      const target = join(root, '.runtime', 'chromium');
      rmSync(target, { recursive: true, force: true });
      renameSync(staging, target);
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  });
}

async function unpackBrowser(from, staging) {
  // mkdtemp makes it private; the browser runs as another user when Platen is started by root.
  chmodSync(staging, 0o755);
  const binary = join(staging, 'chromium');
  await decompress(join(from, 'chromium.br'), binary);
  chmodSync(binary, 0o755);
  await unpackTar(join(from, 'swiftshader.tar.br'), staging);
  if (await lacksLibraries(binary)) await unpackTar(join(from, 'al2023.tar.br'), staging);
  if (!(await hasFonts())) {
    await unpackTar(join(from, 'fonts.tar.br'), staging);
    writeFileSync(join(staging, 'fonts.conf'), FONTS_CONF);
    renameSync(binary, join(staging, 'headless_shell'));
    writeFileSync(binary, WITH_FONTS, { mode: 0o755 });
  }
}

async function decompress(from, to) {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}

async function unpackTar(from, folder) {
  const tar = join(folder, 'archive.tar');
  await decompress(from, tar);
  const { ok, output, problem } = await runCommand('tar', ['-xf', tar, '-C', folder, '--no-same-owner'], { timeoutMs: 60_000 });
  rmSync(tar);
  if (!ok) throw new Error(`unpacking ${from}: ${problem}\n${lastLines(output, 8)}`);
}

async function lacksLibraries(binary) {
  const { ok, output } = await runCommand('ldd', [binary], { timeoutMs: 30_000 });
  return !ok || output.includes('not found');
}

async function hasFonts() {
  const { ok, output } = await runCommand('fc-list', [], { timeoutMs: 30_000 });
  return ok ? output.trim() !== '' : existsSync('/usr/share/fonts/truetype');
}
