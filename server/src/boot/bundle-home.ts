import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLATION } from '@platen/kernel';

const ABOVE = fileURLToPath(new URL('..', import.meta.url));

/** Whether this is the bundle, which has a `plugins/` of its own: their package.json, with the bundled modules as exports. */
export const isBundle = existsSync(join(ABOVE, 'plugins'));

/** The folder with the `plugins/` of this installation. */
export const PLUGIN_HOME = isBundle ? ABOVE : INSTALLATION;

/** The bundle's file of each module that Platen's packages export, relative to the bundle, by specifier. */
export const MODULES_FILE = 'modules.json';
