export { openScratchFile, type ScratchFile } from './scratch-file.js';
export { createSpool, type Spool, type SpoolOptions } from './spool.js';
export type { SpoolWriter } from './spool-writer.js';
export { DISK_FULL, isDiskFull } from './is-disk-full.js';
