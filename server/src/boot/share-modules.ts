import { readFile } from 'node:fs/promises';
import * as module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLUGIN_HOME } from '@platen/kernel';
import { MODULES_FILE } from './bundle-home.js';

/** Node 20 has only hooks in a thread of their own. */
const HOOKS = `let files;
export const initialize = (given) => { files = given; };
export const resolve = (specifier, context, next) =>
  Object.hasOwn(files, specifier) ? { url: files[specifier], format: 'module', shortCircuit: true } : next(specifier, context);`;

/** https://nodejs.org/api/module.html#moduleregisterhooksoptions, Node 22.15 and later. */
type RegisterHooks = (hooks: { resolve(specifier: string, context: unknown, next: Resolve): unknown }) => void;
type Resolve = (specifier: string, context: unknown) => unknown;

let sharing: Promise<void> | undefined;

/**
 * Lets plugins from elsewhere import Platen's packages as the bundle's modules, wherever they are and whatever is installed beside them: there
 * is one kernel.
 */
export function shareModules(): Promise<void> {
  return (sharing ??= share());
}

async function share(): Promise<void> {
  // Written with the bundle.
  const listed = JSON.parse(await readFile(join(PLUGIN_HOME, MODULES_FILE), 'utf8')) as Readonly<Record<string, string>>;
  const files = Object.fromEntries(Object.entries(listed).map(([name, file]) => [name, pathToFileURL(join(PLUGIN_HOME, file)).href]));
  // The types are those of Node 20.
  const { registerHooks } = module as { readonly registerHooks?: RegisterHooks };
  if (registerHooks === undefined) module.register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: files });
  else {
    registerHooks({
      resolve(specifier, context, next) {
        const url = Object.hasOwn(files, specifier) ? files[specifier] : undefined;
        return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
      },
    });
  }
}
