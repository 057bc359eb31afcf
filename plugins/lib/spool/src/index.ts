export { openScratchFile, type ScratchFile } from './unnamed-file.js';
export { createSpool, type Spool, type SpoolOptions } from './spool.js';
export type { SpoolWriter } from './spool-writer.js';
