import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { readManifest } from './manifest.js';

/** Packages that are bundled, and whose types are part of Platen's: copied. Public types use those of no other package. */
const COPIED: readonly RegExp[] = [/^tapable$/, /^devtools-protocol\//];

/** A quoted module in an import, an export or a module declaration. */
const SPECIFIER = /(?<=(?:^(?:import|export)\b[^;'"]*?from |\bimport\(|^import |^declare module )['"])[^'"\n]+(?=['"])/gm;

export interface DeclarationOptions {
  /** The folder of all sources. */
  readonly root: string;
  /** The declaration file of each module that Platen's packages export, by specifier. */
  readonly modules: ReadonlyMap<string, string>;
  /** Specifiers of the modules whose types are published. */
  readonly entries: readonly string[];
  readonly out: string;
}

/**
 * Copies the declarations that the entries reach, with relative paths in place of package names.
 *
 * @throws Error if they need a package that an installation lacks: its types would be `any`
 * @returns the declaration file of each entry, relative to `out`
 */
export async function writeDeclarations({ root, modules, entries, out }: DeclarationOptions): Promise<ReadonlyMap<string, string>> {
  const written = new Set<string>();
  const placeOf = (file: string) =>
    join(
      out,
      relative(root, file)
        .replace(/(^|[\\/])(?:dist|node_modules)(?=[\\/])/g, '$1.')
        .replaceAll('/./', '/'),
    );
  const targetOf = (specifier: string, from: string): string | undefined => {
    if (specifier.startsWith('.')) return resolve(dirname(from), `${specifier.replace(/\.js$/, '')}.d.ts`);
    const own = modules.get(specifier);
    if (own !== undefined) return own;
    return COPIED.some((pattern) => pattern.test(specifier)) ? findDeclaration(specifier, root) : undefined;
  };
  const write = async (file: string): Promise<void> => {
    if (written.has(file)) return;
    written.add(file);
    const text = await readFile(file, 'utf8');
    const needed: string[] = [];
    const replaced = text.replace(SPECIFIER, (specifier) => {
      if (specifier.startsWith('node:')) return specifier;
      const target = targetOf(specifier, file);
      if (target === undefined) throw new Error(`${relative(root, file)} publishes types of ${specifier}: declare the part that is used`);
      needed.push(target);
      const path = relative(dirname(placeOf(file)), placeOf(target));
      return `${path.startsWith('.') ? '' : './'}${path.replace(/\.d\.ts$/, '.js')}`;
    });
    await mkdir(dirname(placeOf(file)), { recursive: true });
    await writeFile(placeOf(file), replaced.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
    for (const target of needed) await write(target);
  };
  const files = entries.map((entry) => [entry, modules.get(entry) ?? ''] as const);
  for (const [, file] of files) await write(file);
  return new Map(files.map(([entry, file]) => [entry, relative(out, placeOf(file))]));
}

/** By the field `types` of a package, or the declaration beside the named file. */
function findDeclaration(specifier: string, root: string): string {
  const path = join(root, 'node_modules', specifier);
  if (specifier.includes('/')) return path.replace(/\.js$/, '.d.ts');
  const { types = 'index.d.ts' } = readManifest(path);
  return join(path, types);
}
