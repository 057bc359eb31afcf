import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** The contents of a trimmed build; sizes in bytes. */
export interface TrimManifest {
  readonly platen: string;
  readonly plugins: readonly {
    readonly name: string;
    readonly version: string;
    readonly package: string;
    readonly outputs: readonly string[];
    readonly keys: readonly string[];
  }[];
  /** Plugins that this build excludes, except plugins that another excluded plugin requires. */
  readonly left_out: readonly {
    readonly name: string;
    readonly description: string;
    readonly outputs: readonly string[];
    readonly keys: readonly string[];
    readonly flags: readonly string[];
  }[];
  /** The bytes that each package adds, largest first. */
  readonly packages: readonly { readonly name: string; readonly version: string; readonly bytes: number }[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly total_bytes: number;
}

export interface PackageSize {
  readonly name: string;
  readonly version: string;
  readonly directory: string;
  readonly bytes: number;
}

/** The packages whose code is in a bundle, with the bytes that each adds to it. */
export function packagesOf({ outputs }: Metafile, root: string): readonly PackageSize[] {
  const sizes = new Map<string, PackageSize>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = owningPackage(resolve(root, input));
      if (owner === undefined) continue;
      const bytes = (sizes.get(owner.directory)?.bytes ?? 0) + bytesInOutput;
      sizes.set(owner.directory, { ...owner, bytes });
    }
  }
  return [...sizes.values()];
}

/** The nearest folder above a file whose package.json has a name and a version. */
function owningPackage(file: string): Omit<PackageSize, 'bytes'> | undefined {
  for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
    const { name, version } = readManifest(directory);
    if (name !== undefined && version !== undefined) return { name, version, directory };
  }
  return undefined;
}

export interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  /** Its declaration file. */
  readonly types?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** Platforms that the package supports. */
  readonly os?: unknown;
  readonly cpu?: unknown;
  /** The package is compiled on the host, or downloads a compiled binary. */
  readonly gypfile?: unknown;
  readonly binary?: unknown;
}

export function readManifest(directory: string): PackageManifest {
  try {
    // Only fields with a default are read: a malformed manifest counts as empty.
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageManifest;
  } catch {
    return {};
  }
}

export async function measureTree(folder: string): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (path) => ({ path, bytes: (await stat(path)).size })));
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
