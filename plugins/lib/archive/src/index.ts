/**
 * Reads WACZ, WARC and HAR files: finds the response to a request, in an archive of any size.
 *
 * @packageDocumentation
 */

export { type Archive, ArchiveDamaged, type ArchivedResponse, type ArchiveQuery, type FoundResponse, NotAnArchive } from './contract.js';
export { openArchive, type OpenOptions } from './open-archive.js';
