import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { readManifest } from './manifest.js';

/** The packages that a bundle needs beside itself, found during bundling. */
export interface NativePackages {
  readonly plugin: Plugin;
  /** Names, complete when the bundle is. */
  readonly names: ReadonlySet<string>;
}

/** Excludes packages with native code from a bundle: they load files relative to their own location, which a bundle would change. */
export function pruneNativePackages(): NativePackages {
  const names = new Set<string>();
  const plugin: Plugin = {
    name: 'native-packages',
    setup(build) {
      // Bare specifiers: neither relative nor absolute paths.
      build.onResolve({ filter: /^[^./\\]/ }, ({ path, kind, resolveDir }) => {
        const name = kind === 'entry-point' ? undefined : nativePackageOf(path, resolveDir);
        if (name === undefined) return undefined;
        names.add(name);
        return { path, external: true };
      });
    },
  };
  return { plugin, names };
}

/** The name of the package that an import in a folder resolves to, if it contains native code. */
export function nativePackageOf(specifier: string, from: string): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  const name = packageNameOf(specifier);
  const directory = findPackage(name, from);
  return directory !== undefined && isNative(directory) ? name : undefined;
}

/** Whether a package is compiled on the host, or has one package per platform. */
function isNative(directory: string): boolean {
  const { optionalDependencies = {}, gypfile, binary } = readManifest(directory);
  if (gypfile === true || binary !== undefined || existsSync(join(directory, 'binding.gyp'))) return true;
  return Object.keys(optionalDependencies).some((name) => {
    const found = findPackage(name, directory);
    const { os, cpu } = found === undefined ? {} : readManifest(found);
    return os !== undefined || cpu !== undefined;
  });
}

function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Resolves as Node does. */
function findPackage(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (directory === dirname(directory)) return undefined;
  }
}
