import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { readManifest } from './manifest.js';

/** The packages that a bundle needs beside itself, found while it is made. */
export interface NativePackages {
  readonly plugin: Plugin;
  /** Names, complete once the bundle is. */
  readonly names: ReadonlySet<string>;
}

/** Leaves packages that hold machine code out of a bundle: they load files by their own place, which a bundle would change. */
export function pruneNativePackages(): NativePackages {
  const names = new Set<string>();
  const plugin: Plugin = {
    name: 'native-packages',
    setup(build) {
      // Bare specifiers: no path, relative or absolute.
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

/** The name of the package that an import reaches from a folder, where that holds machine code. */
export function nativePackageOf(specifier: string, from: string): string | undefined {
  if (isBuiltin(specifier)) return undefined;
  const name = packageNameOf(specifier);
  const directory = findPackage(name, from);
  return directory !== undefined && isNative(directory) ? name : undefined;
}

/** Whether a package is built on the host, or brings one package for each platform. */
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

/** As Node looks packages up. */
function findPackage(name: string, from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (directory === dirname(directory)) return undefined;
  }
}
