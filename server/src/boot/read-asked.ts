import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder that requires each npm package: a plugin's own folder, or the folders of the `@platen/` packages that it depends on. */
export type Asked = ReadonlyMap<string, string>;

/** Reads the requirements of a package, of itself and of its `@platen/` dependencies. Reads package.json files, runs nothing. */
export async function readAsked(folder: string, seen = new Set<string>()): Promise<Asked> {
  const asked = new Map<string, string>();
  if (seen.has(folder)) return asked;
  seen.add(folder);
  for (const name of await readDependencies(folder)) {
    asked.set(name, folder);
    const inner = name.startsWith('@platen/') ? locate(name, folder) : undefined;
    if (inner === undefined) continue;
    for (const [theirs, from] of await readAsked(inner, seen)) if (!asked.has(theirs)) asked.set(theirs, from);
  }
  return asked;
}

async function readDependencies(folder: string): Promise<readonly string[]> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null) return [];
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((field) => {
    const value: unknown = Reflect.get(manifest, field);
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  });
}

/** A dependency's folder, resolved as Node does; its entry file need not exist. */
function locate(name: string, from: string): string | undefined {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  for (const place of places) {
    try {
      return dirname(createRequire(join(from, 'package.json')).resolve(join(place, name, 'package.json')));
    } catch {
      // Not in this folder: try its parent.
    }
  }
  return undefined;
}
