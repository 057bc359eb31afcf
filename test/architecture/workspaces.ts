import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from '@platen/kernel';

export const ROOT = new URL('../..', import.meta.url).pathname;

/** What a test asks of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>> | string>>;
  readonly files?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly platen?: { readonly kernel: string; readonly plugins?: readonly PluginEntry[] } & Partial<PluginEntry>;
}

interface PluginEntry {
  readonly name: string;
  readonly entry?: string;
  readonly requires?: readonly string[];
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** Folders of all workspaces with a package.json, as the root's globs name them. */
export function listWorkspaces(): readonly string[] {
  const patterns = readManifest('.').workspaces ?? [];
  return patterns.flatMap((pattern) => expand(pattern.split('/'), '')).filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
}

export interface WorkspacePlugin {
  /** Of its package. */
  readonly folder: string;
  readonly name: string;
  readonly requires: readonly string[];
  /** The module with its definition. */
  readonly source: string;
}

/** The plugins of all workspaces but the template, as their package.json files declare them. */
export function listPlugins(): readonly WorkspacePlugin[] {
  const folders = listWorkspaces().filter((folder) => folder.startsWith('plugins/'));
  return folders.flatMap((folder) => {
    const { platen, exports = {} } = readManifest(folder);
    // Without a list, the field itself is the entry of its single plugin.
    const entries = platen === undefined ? [] : (platen.plugins ?? [platen as PluginEntry]);
    return entries.map(({ name, entry = '.', requires = [] }) => {
      const target = exports[entry];
      return { folder, name, requires, source: join(ROOT, folder, typeof target === 'object' ? (target['platen-source'] ?? '') : '') };
    });
  });
}

/** The package.json that declares a plugin. */
export function readPluginManifest({ name }: Pick<Plugin, 'name'>): Manifest {
  const { folder = '' } = listPlugins().find((plugin) => plugin.name === name) ?? {};
  return readManifest(folder);
}

/** The definition of a plugin, imported from its source. */
export async function importPlugin({ source }: WorkspacePlugin): Promise<Plugin> {
  // The type of an import by a variable is not known.
  return ((await import(source)) as { default: Plugin }).default;
}

function expand([head, ...rest]: readonly string[], base: string): readonly string[] {
  if (head === undefined) return [base];
  if (head !== '*') return expand(rest, join(base, head));
  const folders = readdirSync(join(ROOT, base), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => expand(rest, join(base, name)));
}

/** All files below a folder, relative to the root. */
export function listFiles(folder: string): readonly string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
