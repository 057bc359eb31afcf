import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listFiles, ROOT } from './workspaces.js';

/** Run source text in a page. Not the protocol's types of the same names. */
const RUNS = /(?<!<)'(?:Runtime\.(?:evaluate|callFunctionOn)|Page\.addScriptToEvaluateOnNewDocument)'(?!>)/g;

/** What is not Platen's: the request's own scripts; and questions that run no function. */
const NAMELESS: Readonly<Record<string, number>> = {
  'kernel/src/browser/page/page.ts': 1,
  'kernel/src/browser/page/lifecycle.ts': 1,
  'kernel/src/held-by-script.ts': 1,
  'plugins/asset/storage/src/save.ts': 1,
  'plugins/page/modals/src/known-managers.ts': 1,
  'plugins/output/extract/src/run-script.ts': 1,
  'plugins/page/target/src/run-script.ts': 1,
};

it('what is run in pages has the name by which profilers leave it out', () => {
  const sources = ['kernel/src', 'plugins', 'server/src']
    .flatMap((folder) => listFiles(folder))
    .filter((file) => /\/src\/.*\.ts$/.test(file) && !file.includes('node_modules'));
  const nameless = sources.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const missing = [...text.matchAll(RUNS)].length - [...text.matchAll(/addSourceUrl\(/g)].length;
    return missing > 0 ? [[file, missing]] : [];
  });
  expect(Object.fromEntries(nameless)).toEqual(NAMELESS);
});
