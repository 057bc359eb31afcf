export { createCdxIndex, type CdxEntry, type CdxIndex } from './cdx-index.js';
export type * from './exchange.js';
export { openWarc, spoolStream, type WarcContent } from './open-warc.js';
export { openCut, openWarcFile, type WarcFile, type WarcFileOptions, writeAll } from './open-warc-file.js';
export { type ArchivedPage, type ChosenPages, pagesOf, type RecordedPages, writePage, type WrittenPage } from './write-page.js';
export { createWarcWriter, type ResourceRecord, type WarcWriter, type WarcWriterOptions } from './warc-writer.js';
export { valueOf } from './choose-response.js';
