import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this installation, which has `.runtime/`: two above this module, in `kernel/dist/` and in the bundle's `bundle/dist/`. */
export const INSTALLATION = fileURLToPath(new URL('../..', import.meta.url));

const BUNDLE = fileURLToPath(new URL('..', import.meta.url));

/** Whether this is the bundle, which has a `plugins/` of its own: their package.json, with the bundled modules as exports. */
export const isBundle = existsSync(join(BUNDLE, 'plugins'));

/** The folder with the `plugins/` of this installation. */
export const PLUGIN_HOME = isBundle ? BUNDLE : INSTALLATION;
