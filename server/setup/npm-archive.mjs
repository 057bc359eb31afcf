import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './packages.mjs';
import { lastLines, runCommand } from './run-command.mjs';

const DOWNLOAD_MS = 10 * 60_000;
const UNPACK_MS = 2 * 60_000;

/**
 * Fetches one package from the npm registry, verifies its integrity hash from the source code, and unpacks it. No install script runs, the
 * lockfile does not change, and no dependencies are installed.
 * @template T
 * @param {{ root: string, name: string, integrity: string }} archive
 * @param {(folder: string) => Promise<T>} use what to do with the unpacked package, before it is removed again
 * @returns {Promise<T>}
 */
export async function withNpmArchive({ root, name, integrity }, use) {
  const runtime = join(root, '.runtime');
  mkdirSync(runtime, { recursive: true });
  const folder = mkdtempSync(join(runtime, 'npm-'));
  try {
    const packed = await runNpm(
      ['pack', name, '--ignore-scripts', '--pack-destination', folder, '--loglevel=error', '--fetch-timeout=60000'],
      {
        cwd: folder,
        timeoutMs: DOWNLOAD_MS,
      },
    );
    const archive = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
    if (!packed.ok || archive === undefined) throw new Error(`"npm pack ${name}": ${packed.problem}\n${lastLines(packed.output, 8)}`);
    const hash = createHash('sha512')
      .update(readFileSync(join(folder, archive)))
      .digest('base64');
    if (`sha512-${hash}` !== integrity) throw new Error(`${name} from the npm registry does not have the expected integrity hash`);
    const unpacked = await runCommand('tar', ['-xzf', archive, '--no-same-owner'], { cwd: folder, timeoutMs: UNPACK_MS });
    if (!unpacked.ok) throw new Error(`unpacking ${name}: ${unpacked.problem}\n${lastLines(unpacked.output, 8)}`);
    return await use(join(folder, 'package'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
