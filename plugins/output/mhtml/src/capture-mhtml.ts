import type { RenderContext } from '@platen/kernel';
import { settlePage } from '@platen/lib-geometry';
import { addFonts } from './add-fonts.js';
import { nameBlobs } from './name-blobs.js';
import { settleState } from './settle-state.js';

/** The page and all that it is made of: one MIME document (RFC 2557). */
export interface MhtmlCapture {
  readonly data: Buffer;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    mhtml: MhtmlCapture;
  }
}

/** Large pages take long to be written. */
const SNAPSHOT_MS = 120_000;

/** What of the page is loaded, with its frames of all sites, written by the browser (Page.captureSnapshot). */
export async function captureMhtml(context: RenderContext): Promise<MhtmlCapture> {
  const { page } = context;
  context.waitingFor('images and fonts');
  await settleState(page);
  await settlePage(page);
  context.waitingFor('the snapshot');
  const { data } = await page.send('Page.captureSnapshot', { format: 'mhtml' }, { timeoutMs: SNAPSHOT_MS });
  // Its parts are quoted-printable and base64: all of it is ASCII.
  return { data: Buffer.from(nameBlobs(await addFonts(context, data)), 'latin1') };
}
