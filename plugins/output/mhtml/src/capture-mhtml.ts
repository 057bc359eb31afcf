import type { RenderContext } from '@platen/kernel';
import { waitForStablePage } from '@platen/lib-page-layout';
import { addMissing } from './add-missing.js';
import { dropUserinfo } from './drop-userinfo.js';
import { nameBlobs } from './name-blobs.js';
import { nameCharsets } from './name-charsets.js';
import { nameSubject } from './name-subject.js';
import { settleState } from './settle-state.js';

/** The page and all its resources: one MIME document (RFC 2557). */
export interface MhtmlCapture {
  readonly data: Buffer;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    mhtml: MhtmlCapture;
  }
}

/** Timeout: large pages take long to be written. */
const SNAPSHOT_MS = 120_000;

/** The loaded page with all its iframes, including cross-site ones, as the browser writes it (Page.captureSnapshot). */
export async function captureMhtml(context: RenderContext): Promise<MhtmlCapture> {
  context.setWaitReason('images and fonts');
  const bare = (mhtml: string) => dropUserinfo(mhtml, context.plan.url);
  const data = bare(await addMissing(context, bare(await captureSettled(context))));
  const title = await context.page.evaluate(() => document.title);
  // Its parts are quoted-printable and base64: the whole text is ASCII.
  return { data: Buffer.from(nameSubject(nameBlobs(nameCharsets(data)), title), 'latin1') };
}

/** Assets that are made of the page afterwards must find it unchanged. */
async function captureSettled(context: RenderContext): Promise<string> {
  const { page } = context;
  const takeBack = await settleState(page);
  try {
    await waitForStablePage(page);
    context.setWaitReason('the snapshot');
    const { data } = await page.send('Page.captureSnapshot', { format: 'mhtml' }, { timeoutMs: SNAPSHOT_MS });
    return data;
  } finally {
    await takeBack();
  }
}
