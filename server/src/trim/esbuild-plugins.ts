import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** Settings of all bundles. */
export const BUNDLED = {
  bundle: true,
  minify: true,
  keepNames: false,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  metafile: true,
  legalComments: 'none',
  logLevel: 'error',
} as const;

/** CommonJS packages inside an ES module need a `require` for Node's own modules. */
export const REQUIRE = "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);";

/**
 * Dependencies of puppeteer that Platen never uses: WebDriver BiDi, which is for Firefox, and modules that download a browser (proxies and
 * archives) or offer that as a command. Platen starts an installed Chromium, over a pipe.
 */
const UNUSED: readonly { readonly by: RegExp; readonly imports: RegExp }[] = [
  { by: /[\\/]puppeteer-core[\\/]/, imports: /^\.\.\/bidi\// },
  { by: /[\\/]@puppeteer[\\/]browsers[\\/]/, imports: /^(?:proxy-agent|yargs|extract-zip|tar-fs)(?:\/|$)/ },
];

/** Replaces bundled modules that never run with empty modules. */
export function pruneUnused(): Plugin {
  return {
    name: 'leave-out-unused',
    setup(build) {
      for (const { by, imports } of UNUSED) {
        build.onResolve({ filter: imports }, ({ path, importer }) => (by.test(importer) ? { path, namespace: 'left-out' } : undefined));
      }
      // As CommonJS: every name imported from it is undefined.
      build.onLoad({ filter: /^/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
    },
  };
}

/** The pattern by which sources reference a module that runs in a worker thread: `new URL('./text-worker.js', import.meta.url)`. */
const WORKER_URL = /new URL\(\s*(['"])(\.\/[\w-]+-worker\.js)\1,\s*import\.meta\.url,?\s*\)/g;

/** The folder of the worker modules, beside the bundle. */
export const WORKER_FOLDER = 'workers';

/** A module that runs in a worker thread. */
export interface WorkerModule {
  readonly source: string;
  /** File name without its extension: the bundles of several plugins are in one folder. */
  readonly name: string;
}

/** Makes the bundle look for its worker modules beside itself, and reports each module, so that it is bundled too. */
export function findWorkers(found: Map<string, WorkerModule>): Plugin {
  return {
    name: 'find-workers',
    setup(build) {
      build.onLoad({ filter: /[\\/](?:plugins|plugin-[\w-]+|lib-[\w-]+)[\\/].*dist[\\/].*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes('-worker.js')) return undefined;
        const contents = text.replaceAll(WORKER_URL, (_whole, _quote, relative: string) => {
          const { name } = keepWorker(found, join(dirname(path), relative));
          return `new URL('./${WORKER_FOLDER}/${name}.mjs', import.meta.url)`;
        });
        return { contents, loader: 'js' };
      });
    },
  };
}

function keepWorker(found: Map<string, WorkerModule>, source: string): WorkerModule {
  const known = found.get(source);
  if (known !== undefined) return known;
  const worker = { source, name: `${basename(source, '.js')}-${String(found.size + 1)}` };
  found.set(source, worker);
  return worker;
}

/** The pattern by which sources reference a folder of files that they serve: `new URL('../static/', import.meta.url)`. */
const FOLDER_URL = /new URL\(\s*(['"])(\.[\w./-]*\/)\1,\s*import\.meta\.url,?\s*\)/g;

/** The parent of the copied folders, beside the bundle. */
const FILE_FOLDER = 'files';

/** Compiler by-products that are not served. */
const NOT_SERVED: ReadonlySet<string> = new Set(['.map', '.tsbuildinfo']);

/** Makes the bundle look for the folders that its plugins serve beside itself, and reports each folder under its new name. */
export function findFolders(found: Map<string, string>): Plugin {
  return {
    name: 'find-folders',
    setup(build) {
      build.onLoad({ filter: /[\\/](?:plugins|plugin-[\w-]+)[\\/].*dist[\\/].*\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (text.search(FOLDER_URL) === -1) return undefined;
        const contents = text.replaceAll(FOLDER_URL, (_whole, _quote, relative: string) => {
          return `new URL('./${keepFolder(found, resolve(dirname(path), relative))}/', import.meta.url)`;
        });
        return { contents, loader: 'js' };
      });
    },
  };
}

function keepFolder(found: Map<string, string>, source: string): string {
  const [known] = [...found].find(([, folder]) => folder === source) ?? [];
  const name = `${FILE_FOLDER}/${basename(source)}`;
  const place = known ?? (found.has(name) ? `${name}-${String(found.size)}` : name);
  found.set(place, source);
  return place;
}

/** Copies the folders that were found to the place where the bundle looks for them. */
export async function copyFolders(found: ReadonlyMap<string, string>, to: string): Promise<void> {
  for (const [name, source] of found) {
    // The documentation need not be built.
    if (!existsSync(source)) continue;
    const filter = (path: string) => !NOT_SERVED.has(extname(path)) && !path.endsWith('.d.ts');
    await cp(source, join(to, name), { recursive: true, dereference: true, filter });
  }
}

/** A bundle of one file is an installation of its own. */
export function placeInstallation(): Plugin {
  return {
    name: 'place-installation',
    setup(build) {
      const contents = 'export const INSTALLATION = import.meta.dirname;';
      build.onLoad({ filter: /[\\/]kernel[\\/]dist[\\/]installation\.js$/ }, () => ({ contents, loader: 'js' }));
    },
  };
}
