import { extname } from 'node:path';
import { definePlugin, type EncodedOutput } from '@platen/kernel';
import { captureDownload, type DownloadCapture } from './capture-download.js';
import { watchDownloads } from './watch-downloads.js';

export type { DownloadCapture, DownloadCaptureOptions } from './capture-download.js';

export default definePlugin({
  name: 'download',
  captures: [{ kind: 'download', spansDocuments: true, acceptsDownloads: true }],
  // The file's own type and name replace these.
  outputs: [{ type: 'download', from: 'download', contentType: 'application/octet-stream', extension: 'bin' }],
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise({ name: 'download', for: { capture: 'download' } }, watchDownloads);
    hooks.capture.for('download').tapPromise('download', captureDownload);
    hooks.encode.for('download').tapPromise('download', encodeDownload);
  },
});

/** Passes the file through unchanged. */
function encodeDownload({ name, contentType, size, data }: DownloadCapture): Promise<EncodedOutput> {
  return Promise.resolve({ contentType, extension: extname(name).slice(1) || 'bin', filename: name, length: size, body: data });
}
