import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { callOnAbort, definePlugin, type Download, type EncodedOutput, type Page, PlatenError, type RenderContext } from '@platen/kernel';
import { typeOfDownload } from './media-type.js';
import { type Begun, DOWNLOAD_WATCH, watchDownloads } from './watch-downloads.js';

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

/** The options that an output can set in its declaration's `captureOptions`. */
export interface DownloadCaptureOptions {
  /** Bytes: a larger file fails with `download_too_large`. */
  readonly maxBytes?: number;
}

/** One file, as a browser would have saved it. */
export interface DownloadCapture {
  /** From the response's header, the link's attribute or the URL: chosen by the site, not safe to use unchanged. */
  readonly name: string;
  /** As declared by the site, else by the file extension. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Can be read after the browser was released. */
  readonly data: Readable;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    download: DownloadCapture;
  }
  interface CaptureOptions {
    download: DownloadCaptureOptions;
  }
}

/** Maximum file size in bytes: the largest integer that every reader of its length can represent. */
const MAX_BYTES = 2 ** 31 - 1;

/** Reads the limit from an output's declaration; throws a TypeError if it is invalid. */
export function readMaxBytes(declared: { readonly maxBytes?: unknown } = {}): number {
  const { maxBytes = MAX_BYTES } = declared;
  if (typeof maxBytes === 'number' && maxBytes >= 1 && maxBytes <= MAX_BYTES) return maxBytes;
  throw new TypeError(`captureOptions.maxBytes must be a number from 1 to ${String(MAX_BYTES)}`);
}

/**
 * Grace period in milliseconds for a download to begin after the wait condition is met: its file may be in flight, which is not observable.
 */
const GRACE_MS = 2_000;
/** Bytes that stay free on the disk. */
const RESERVE = 64 * 2 ** 20;
/** Bytes per read. */
const CHUNK = 2 ** 18;

/** Waits until the first download is complete. Its directory is deleted with the session; the returned file stays open. */
async function captureDownload(context: RenderContext): Promise<DownloadCapture> {
  const watch = context.get(DOWNLOAD_WATCH);
  if (watch === undefined) throw new PlatenError('internal', 'the capture of downloads was not prepared');
  context.setWaitReason('a download to begin');
  const begun = await beginning(watch.first, context);
  if (begun === undefined) throw new PlatenError('not_a_download', await explain(context));
  const { download } = begun;
  context.setWaitReason('the download to be complete');
  await completed(download, planLimit(await download.room(), readMaxBytes(context.plan.output.captureOptions)));
  const types = await begun.types;
  const file = await download.open();
  const { size } = await file.stat();
  const data = file.createReadStream({ highWaterMark: CHUNK });
  const abort = () => {
    data.destroy(context.signal.reason instanceof Error ? context.signal.reason : undefined);
  };
  // The reader gets the error; before that it may stay unhandled.
  data.on('error', () => undefined);
  callOnAbort(context.signal, abort);
  return { name: download.name, contentType: typeOfDownload(download, types), size, data };
}

/** Documents whose scripts may begin a download: HTML, and XML with embedded scripts. */
const SCRIPTED = /html|xml/;

/** The first download, in progress or about to begin. A document that runs no scripts begins none. */
async function beginning(first: Promise<Begun>, { page, signal }: RenderContext): Promise<Begun | undefined> {
  const quick = await Promise.race([first, typeOfDocument(page)]);
  if (typeof quick !== 'string') return quick;
  if (!SCRIPTED.test(quick)) return Promise.race([first, Promise.resolve(undefined)]);
  const limit = new AbortController();
  const grace = delay(GRACE_MS, undefined, { signal: AbortSignal.any([signal, limit.signal]), ref: false }).catch(() => undefined);
  try {
    return await Promise.race([first, grace]);
  } finally {
    limit.abort();
  }
}

/** The media type of the displayed page; that of a page if it is unknown. */
function typeOfDocument(page: Page): Promise<string> {
  return page.evaluate(() => document.contentType).catch(() => 'text/html');
}

async function explain({ page }: RenderContext): Promise<string> {
  const type = await typeOfDocument(page);
  return SCRIPTED.test(type)
    ? `the target is a page, and no download began within ${String(GRACE_MS / 1000)} s after its wait condition was met; set "wait_for" to wait longer`
    : `browsers display the target's type ${type} and do not download it; use another "output_type" to render it`;
}

interface Limit {
  readonly bytes: number;
  /** The error that the client gets. */
  readonly text: string;
}

/** The output's own limit, or the disk's free space. */
function planLimit(free: number, maxBytes: number): Limit {
  const room = Math.max(0, free - RESERVE);
  return room < maxBytes
    ? { bytes: room, text: 'the download is larger than the free disk space of this server' }
    : { bytes: maxBytes, text: `the download is larger than ${String(maxBytes)} bytes, the limit of this output` };
}

/** Resolves once the file is complete. A file is canceled as soon as it is known to be too large. */
function completed(download: Download, { bytes, text }: Limit): Promise<void> {
  return new Promise((resolve, reject) => {
    download.onProgress(({ state, receivedBytes, totalBytes }) => {
      if (Math.max(receivedBytes, totalBytes) > bytes) {
        reject(new PlatenError('download_too_large', text));
        void download.cancel();
      } else if (state === 'completed') resolve();
      else if (state === 'canceled') {
        reject(new PlatenError('target_unreachable', 'the download was interrupted', { retryable: true }));
      }
    });
  });
}
