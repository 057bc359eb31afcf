import { setTimeout as delay } from 'node:timers/promises';
import { PlatenError, type Download, type Page, type RenderContext } from '@platen/kernel';
import { readMaxBytes, type DownloadCapture } from './download-capture.js';
import { typeOfDownload } from './media-type.js';
import { DOWNLOAD_WATCH, type Begun } from './watch-downloads.js';

/** What a page that has met its wait condition may still take until a download begins: its file is on the way, and nobody can tell. */
const GRACE_MS = 2_000;
/** Bytes that stay free on the disk. */
const RESERVE = 64 * 2 ** 20;
/** Bytes read at once. */
const CHUNK = 2 ** 18;

/** Waits for the first download to be complete. Its folder goes with the session: what is returned is the open file. */
export async function captureDownload(context: RenderContext): Promise<DownloadCapture> {
  const watch = context.get(DOWNLOAD_WATCH);
  if (watch === undefined) throw new PlatenError('internal', 'downloads are taken, and were not watched');
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
  // Whoever reads hears of it; before that nobody has to.
  data.on('error', () => undefined);
  if (context.signal.aborted) abort();
  else context.signal.addEventListener('abort', abort, { once: true });
  return { name: download.name, contentType: typeOfDownload(download, types), size, data };
}

/** Documents whose scripts may begin a download: HTML, and XML that has some in it. */
const SCRIPTED = /html|xml/;

/** The first download, begun or about to begin. What runs no script begins none. */
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

/** The media type of what the page shows; that of a page where nobody can tell. */
function typeOfDocument(page: Page): Promise<string> {
  return page.evaluate(() => document.contentType).catch(() => 'text/html');
}

async function explain({ page }: RenderContext): Promise<string> {
  const type = await typeOfDocument(page);
  return SCRIPTED.test(type)
    ? `the target is a page, and no download began within ${String(GRACE_MS / 1000)} s of its wait condition; "wait_for" gives it more time`
    : `the target is of the type ${type}, which is shown like a page and not downloaded: another "output_type" renders it`;
}

interface Limit {
  readonly bytes: number;
  /** What the client is told. */
  readonly because: string;
}

/** The output's own bound, or what the disk has room for. */
function planLimit(free: number, maxBytes: number): Limit {
  const room = Math.max(0, free - RESERVE);
  return room < maxBytes
    ? { bytes: room, because: 'than this server has room for' }
    : { bytes: maxBytes, because: `than ${String(maxBytes)} bytes, the most that is fetched` };
}

/** Resolves once the whole file is there. One that is too large is given up as soon as that shows. */
function completed(download: Download, { bytes, because }: Limit): Promise<void> {
  return new Promise((resolve, reject) => {
    download.onProgress(({ state, receivedBytes, totalBytes }) => {
      if (Math.max(receivedBytes, totalBytes) > bytes) {
        reject(new PlatenError('download_too_large', `the download is larger ${because}`));
        void download.cancel();
      } else if (state === 'completed') resolve();
      else if (state === 'canceled') {
        reject(new PlatenError('target_unreachable', 'the download broke off before its end', { retryable: true }));
      }
    });
  });
}
