// Worker threads load their module by Node itself, past the test runner: with this, from the TypeScript sources too.
// Preloaded by the runner's processes (`--import`), and inherited by the threads that they start.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';
import { bundleInPage, IN_PAGE_ENTRY } from '../../.config/bundle-in-page.mjs';

if (!isMainThread) register(import.meta.url);

/** Compiled sources by their digest: a compiler that each of hundreds of threads starts takes longer than most threads run. */
const COMPILED = new URL('../../.runtime/worker-sources/', import.meta.url);

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  const { parentURL = 'file:///' } = context;
  if (/^(\.|file:).*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), parentURL);
    if (existsSync(source)) return { url: source.href, shortCircuit: true };
  }
  return next(specifier, { ...context, conditions: ['platen-source', ...context.conditions] });
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  if (IN_PAGE_ENTRY.test(url)) return { format: 'module', source: await bundleInPage(fileURLToPath(url)), shortCircuit: true };
  const text = await readFile(fileURLToPath(url), 'utf8');
  const file = new URL(`${createHash('sha256').update(text).digest('hex')}.js`, COMPILED);
  const source = await readFile(file, 'utf8').catch(() => compile(text, file));
  return { format: 'module', source, shortCircuit: true };
}

/** Other threads may read the file meanwhile: it appears complete. */
async function compile(text, file) {
  const { transform } = await import('esbuild');
  const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline' });
  await mkdir(COMPILED, { recursive: true });
  const partial = new URL(`${file.href}.${process.pid}.${threadId}`);
  await writeFile(partial, code);
  await rename(partial, file);
  return code;
}
