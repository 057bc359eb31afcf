// Bundles the code that runs in pages. For each package with `src/in-page/index.ts`, it replaces the compiler's `dist/in-page/index.js`: each
// exported function becomes one whose source text contains all that it imports, so that `page.evaluate` sends it like any other function.
// `npm run build` and `npm run types` run it after the compiler; the test runner bundles on import, by the same function.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');

/** The sources to which `bundleInPage` applies. */
export const IN_PAGE_ENTRY = /[\\/]src[\\/]in-page[\\/]index\.ts$/;

/** The platform has no modules of Node, so that importing one is an error. */
const OPTIONS = {
  ...{ bundle: true, write: false, logLevel: 'silent', absWorkingDir: root },
  ...{ platform: 'browser', target: 'es2023', charset: 'utf8', minifyWhitespace: true, conditions: ['platen-source'], tsconfigRaw: '{}' },
};

/** Returns the module that other code imports instead of an entry. */
export async function bundleInPage(entry) {
  const names = await listExports(entry);
  const sources = await Promise.all(names.map((name) => bundleFunction(name, entry)));
  return `function inPage(source) {
  return Object.assign(() => { throw new Error('this function runs in pages only'); }, { toString: () => source });
}
${names.map((name, at) => `export const ${name} = inPage(${JSON.stringify(sources[at])});\n`).join('')}`;
}

async function listExports(entry) {
  const { metafile } = await build({ ...OPTIONS, entryPoints: [entry], format: 'esm', metafile: true, outdir: '/' });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}

async function bundleFunction(name, entry) {
  const contents = `import { ${name} } from ${JSON.stringify(entry)};\nresult = ${name}(...args);`;
  const { outputFiles } = await build({
    ...{ ...OPTIONS, format: 'iife', stdin: { contents, resolveDir: dirname(entry) } },
    banner: { js: 'function (...args) {\nlet result;' },
    footer: { js: 'return result;\n}' },
  });
  return outputFiles[0].text.trim();
}

/** The packages of the server's own pages, with their licenses. */
async function bundlePackages(folder) {
  const entry = join(root, folder, 'src/browser/packages.ts');
  if (!existsSync(entry)) return;
  const { outputFiles, metafile } = await build({ ...OPTIONS, entryPoints: [entry], format: 'esm', minify: true, metafile: true });
  const packages = new Set(Object.keys(metafile.inputs).flatMap((path) => /.*node_modules\/[^/]+/.exec(path)?.[0] ?? []));
  const licenses = [...packages].map((path) =>
    join(
      root,
      path,
      readdirSync(join(root, path)).find((name) => /^license/i.test(name)),
    ),
  );
  const texts = licenses.map((path) => `/*!\n${readFileSync(path, 'utf8')}*/\n`);
  writeFileSync(join(root, folder, 'dist/browser/packages.js'), [...texts, outputFiles[0].text].join(''));
}

async function bundleWorkspace(folder) {
  const entry = join(root, folder, 'src/in-page/index.ts');
  if (!existsSync(entry)) return;
  const output = join(root, folder, 'dist/in-page/index.js');
  const text = await bundleInPage(entry);
  if (readFileSync(output, 'utf8') !== text) writeFileSync(output, text);
}

if (process.argv[1] === import.meta.filename) {
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  await Promise.all(references.flatMap(({ path }) => [bundleWorkspace(path), bundlePackages(path)]));
}
