import { INSTALLATION, PLUGIN_HOME } from '@platen/kernel';

/** Whether this is the bundle, which has a `plugins/` beside its modules: their package.json, with the modules as exports. */
export const isBundle = PLUGIN_HOME !== INSTALLATION;

/** The bundle's file of each module that Platen's packages export, by specifier. */
export const MODULES_FILE = 'modules.json';
