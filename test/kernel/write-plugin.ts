import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a plugin package, named after its folder, whose code is that of a plugin without a declaration unless given. */
export async function writePlugin(
  folder: string,
  platen: Readonly<Record<string, unknown>>,
  code = `export default { name: '${String(platen['name'])}' };`,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = /node_modules\/(.+)/.exec(folder)?.[1] ?? folder.split('/').slice(-3).join('/');
  const manifest = {
    name,
    version: '1.2.3',
    type: 'module',
    exports: { '.': { default: './main.js' } },
    platen: { kernel: '*', ...platen },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), code);
  return folder;
}
