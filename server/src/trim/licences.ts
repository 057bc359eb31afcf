import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from './manifest.js';

/** Writes the license texts of all packages into one file: anyone who redistributes the folder must include them. */
export async function writeLicences(directories: readonly string[], folder: string): Promise<void> {
  const texts = await Promise.all([...new Set(directories)].sort().map(licenseOf));
  await writeFile(join(folder, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n`));
}

async function licenseOf(directory: string): Promise<string> {
  const { name = directory, version = '' } = readManifest(directory);
  const file = (await readdir(directory)).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? 'The package names its license in its package.json.\n' : await readFile(join(directory, file), 'utf8');
  return `${name} ${version}\n\n${text}`;
}
