import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

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
  readonly platen?: { readonly name: string; readonly kernel: string; readonly requires?: readonly string[] } & Readonly<
    Record<string, unknown>
  >;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** Folders of all workspaces with a package.json, as the root's globs name them. */
export function listWorkspaces(): readonly string[] {
  const patterns = readManifest('.').workspaces ?? [];
  return patterns.flatMap((pattern) => expand(pattern.split('/'), '')).filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
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
