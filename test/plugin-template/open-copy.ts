import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;

/** What README's steps 2 to 6 change. */
const RENAMED = [
  ['package.json', /@platen\/plugin-ppm/g, '@you/platen-plugin-pix'],
  ['package.json', /"ppm"/g, '"pix"'],
  ['package.json', /ppm_plain/g, 'pix_plain'],
  ['src/index.ts', /'ppm'/g, "'pix'"],
  ['src/index.ts', /ppm_plain/g, 'pix_plain'],
  ['src/index.ts', /extension: 'ppm'/g, "extension: 'pix'"],
  ['src/index.ts', /"ppm"/g, '"pix"'],
  ['test/ppm.browser.test.ts', /'ppm'/g, "'pix'"],
  ['test/ppm.browser.test.ts', /ppm_plain/g, 'pix_plain'],
  ['test/ppm.browser.test.ts', /"ppm"/g, '"pix"'],
] as const;

/** Copies the template into `folder/my-plugin`, changes its names to `pix` and builds it. Resolves with the copy's folder. */
export async function openCopy(folder: string): Promise<string> {
  const copy = join(folder, 'my-plugin');
  await cp(root('plugin-template'), copy, { recursive: true, filter: (path) => !/\/(?:dist|node_modules)$/.test(path) });
  for (const [file, from, to] of RENAMED) {
    const text = await readFile(join(copy, file), 'utf8');
    await writeFile(join(copy, file), text.replace(from, to));
  }
  await symlink(root('node_modules'), join(copy, 'node_modules'));
  await run('npx', ['tsc', '-p', '.'], { cwd: copy });
  return copy;
}
