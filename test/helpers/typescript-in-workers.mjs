// Worker threads load their module by Node itself, past the test runner: with this, from the TypeScript sources too.
// Preloaded by the runner's processes (`--import`), and inherited by the threads that they start.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) register(import.meta.url);

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
  const { transform } = await import('esbuild');
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
