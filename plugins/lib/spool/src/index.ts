/**
 * Buffers a recorder's data up to a limit in memory, and beyond it in a file without a name, which only this process can read.
 *
 * Any number of writers share one file, and each is read back separately. `write` returns false if more than `pendingBytes` wait for the
 * disk: a recorder of events then reports that data is missing. `openScratchFile` is such a file that other programs can open.
 * `verifyBody` withholds the last chunk of a stored body until its digest is verified.
 *
 * @packageDocumentation
 */

export { openScratchFile, openUnnamed, type ScratchFile, type UnnamedFile } from './unnamed-file.js';
export { createSpool, type Spool, type SpoolOptions } from './spool.js';
export type { SpoolWriter } from './spool-writer.js';
export { verifyBody, type ExpectedBody } from './verified-body.js';
