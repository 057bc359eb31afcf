import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALLATION } from '@platen/kernel';

/** Whether this is the bundle, which has a `plugins/` beside its modules: their package.json, with the modules as exports. */
export const isBundle = existsSync(join(import.meta.dirname, 'plugins'));

/** The folder with the `plugins/` of this installation. */
export const PLUGIN_HOME = isBundle ? import.meta.dirname : INSTALLATION;

/** The bundle's file of each module that Platen's packages export, by specifier. */
export const MODULES_FILE = 'modules.json';
