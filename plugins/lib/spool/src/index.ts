export { openScratchFile, openUnnamed, type ScratchFile, type UnnamedFile } from './unnamed-file.js';
export { createSpool, type Spool, type SpoolOptions } from './spool.js';
export type { SpoolWriter } from './spool-writer.js';
export { verifyBody, type ExpectedBody } from './verified-body.js';
