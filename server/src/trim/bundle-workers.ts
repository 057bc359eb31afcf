import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

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
          const { name } = keep(found, join(dirname(path), relative));
          return `new URL('./${WORKER_FOLDER}/${name}.mjs', import.meta.url)`;
        });
        return { contents, loader: 'js' };
      });
    },
  };
}

function keep(found: Map<string, WorkerModule>, source: string): WorkerModule {
  const known = found.get(source);
  if (known !== undefined) return known;
  const worker = { source, name: `${basename(source, '.js')}-${String(found.size + 1)}` };
  found.set(source, worker);
  return worker;
}
