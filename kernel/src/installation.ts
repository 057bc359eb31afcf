import { fileURLToPath } from 'node:url';

/** The folder of this installation, which has `.runtime/`: two above this module, in `kernel/dist/` and in a folder of `bundle/`. */
export const INSTALLATION = fileURLToPath(new URL('../..', import.meta.url));
