import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleInPage } from '../../.config/bundle-in-page.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platen-in-page-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes the files into a new `src/in-page/` and imports its bundle. */
async function bundle(name: string, files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, () => unknown>>> {
  const inPage = join(folder, name, 'src/in-page');
  mkdirSync(inPage, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(inPage, file), text);
  return import(`data:text/javascript,${encodeURIComponent(await bundleInPage(join(inPage, 'index.ts')))}`);
}

it('gives each exported function a source text with what it imports, and no more', async () => {
  const { first = Object, second } = await bundle('texts', {
    'index.ts': `import { double, type Amount } from './double.js';
      export { second } from './second.js';
      export function first({ by = 2 }: { by?: Amount }, ...rest: Amount[]): Amount { return double(by) + rest.length; }`,
    'double.ts': `export type Amount = number; const TWO = 2; export const double = (amount: Amount) => amount * TWO;`,
    'second.ts': `import { double } from './double.js'; export async function second() { return 'second'; }`,
  });
  // As the browser does with the text that it receives.
  const run = (source: string, ...args: readonly unknown[]): unknown => Reflect.apply(runInThisContext(`(${source})`), undefined, args);
  expect(run(String(first), { by: 4 }, 0, 0)).toBe(10);
  await expect(run(String(second))).resolves.toBe('second');
  expect(String(second)).not.toContain('TWO');
  expect(first).toThrow('runs in pages only');
});

it('refuses modules of Node', async () => {
  const files = { 'index.ts': `import { join } from 'node:path'; export const first = () => join('a', 'b');` };
  await expect(bundle('node', files)).rejects.toThrow('Could not resolve "node:path"');
});
