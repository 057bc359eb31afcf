import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { measureTree, readManifest, type PackageSize } from './manifest.js';

/**
 * Copies packages, with all their dependencies, from one `node_modules` into another; optional packages that are not installed are omitted.
 */
export async function copyPackages(
  names: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<readonly PackageSize[]> {
  const copied: PackageSize[] = [];
  for (const name of closureOf(names, from)) {
    const directory = join(from, 'node_modules', name);
    const target = join(to, 'node_modules', name);
    await cp(directory, target, { recursive: true, dereference: true });
    const files = await measureTree(target);
    copied.push({
      name,
      version: readManifest(directory).version ?? '',
      directory,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  }
  return copied;
}

function closureOf(names: readonly string[], root: string): ReadonlySet<string> {
  const closure = new Set<string>();
  const visit = (name: string) => {
    const { version, dependencies = {}, optionalDependencies = {} } = readManifest(join(root, 'node_modules', name));
    if (version === undefined || closure.has(name)) return;
    closure.add(name);
    [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].forEach(visit);
  };
  names.forEach(visit);
  return closure;
}
