/**
 * Writes recorded exchanges as WARC 1.1 and indexes them as CDXJ, both streamed with bounded memory. `openWarc` is a stream of pages,
 * `openWarcFile` a file that can be continued after an interruption.
 *
 * Each record is a gzip member. Bodies are stored decoded, with `Content-Encoding` and `Transfer-Encoding` as `x-orig-*` and `sha256`
 * digests. Redirects are records without a body; identical bodies are `revisit` records; a 304 is the cached 200 that it confirmed.
 * Incomplete bodies have `WARC-Truncated`. Skipped: `OPTIONS`, `HEAD`, preflights, WebSockets, other schemes, missing bodies, ranges other
 * than the whole. Keys of the index equal those of warcio. The writer remembers the most recent million URLs and 100,000 digests.
 *
 * @packageDocumentation
 */

export { createCdxIndex, type CdxEntry, type CdxIndex } from './cdx-index.js';
export type * from './exchange.js';
export { openWarc, spoolStream, type WarcContent } from './open-warc.js';
export { openCut, openWarcFile, type WarcFile, type WarcFileOptions, writeAll } from './open-warc-file.js';
export { type ArchivedPage, type ChosenPages, pagesOf, type RecordedPages, writePage, type WrittenPage } from './write-page.js';
export { createWarcWriter, type ResourceRecord, type WarcWriter, type WarcWriterOptions } from './warc-writer.js';
export { lookupKey, type LookupKey, toKey } from './lookup-key.js';
export { valueOf } from './choose-response.js';
