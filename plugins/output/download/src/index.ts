import { definePlugin } from '@platen/kernel';
import { captureDownload } from './capture-download.js';
import { encodeDownload } from './encode-download.js';
import { watchDownloads } from './watch-downloads.js';

export type { DownloadCapture, DownloadCaptureOptions } from './download-capture.js';

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
