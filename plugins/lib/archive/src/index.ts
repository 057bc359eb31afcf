/**
 * Finds the response to a request in a WACZ, WARC or HAR file of any size.
 *
 * The index is sorted on disk, or taken as it is, and the files stay where they are: neither opening an archive nor reading it takes memory
 * that grows with it. Of a HAR file, of at most 128 MiB, one entry at a time is in memory. Without an index a WARC is read once, up to a
 * damaged record. Records are read by their offsets, whatever length the index states. Not read: ARC files, WACZ files in others, URLs of
 * more than 16 KiB.
 *
 * @packageDocumentation
 */

export { type Archive, ArchiveDamaged, type ArchivedResponse, type ArchiveQuery, type FoundResponse, NotAnArchive } from './contract.js';
export { openArchive, type OpenOptions } from './open-archive.js';
