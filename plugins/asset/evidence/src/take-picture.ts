import { onceActive, type Page, PlatenError, type RenderContext, withTimeout } from '@platen/kernel';
import { encodeRaster } from '@platen/lib-raster';
import { redactionKey } from '@platen/lib-redaction';
import { captureRedacted } from '@platen/lib-view';

/** Milliseconds: the client waits for the error. */
const PICTURE_MS = 3_000;
/** Pixels of a larger viewport are not all taken. */
const MAX_PIXELS = 4096 * 4096;

/**
 * The viewport as it is, as a PNG. Where credentials were filled in they are painted over.
 *
 * @throws PlatenError with the reason why there is no picture
 */
export async function takePicture({ page, get }: Pick<RenderContext, 'page' | 'get'>): Promise<Buffer> {
  const redaction = get(redactionKey);
  const { width, height, deviceScaleFactor } = page.profile;
  const isLarge = width * height * deviceScaleFactor ** 2 > MAX_PIXELS;
  const taking = redaction === undefined && !isLarge ? capture(page) : captureSmall(page, redaction?.text);
  const picture = await withTimeout(taking, PICTURE_MS).catch((cause: unknown) => {
    throw explain(cause);
  });
  if (picture === undefined) throw unresponsive();
  return picture;
}

/** By a session of its own: that of the page has less time for each call after a timeout. */
async function capture(page: Page): Promise<Buffer> {
  const session = await page.openSession();
  const options = { format: 'png', optimizeForSpeed: true } as const;
  const { data } = await onceActive(() => session.send('Page.captureScreenshot', options, { timeoutMs: PICTURE_MS }));
  return Buffer.from(data, 'base64');
}

/** In a size at which text is legible. */
async function captureSmall(page: Page, redact: (text: string) => string = (text) => text): Promise<Buffer | undefined> {
  const signal = AbortSignal.timeout(PICTURE_MS);
  const { picture } = await captureRedacted(page, { redact, signal, maxTokens: 1 });
  return picture === undefined ? undefined : await encodeRaster(picture, { format: 'png', signal });
}

function explain(cause: unknown): unknown {
  const isLate = cause instanceof PlatenError && cause.code === 'render_timeout';
  return isLate ? unresponsive() : cause;
}

function unresponsive(): PlatenError {
  return new PlatenError('render_timeout', 'the page did not respond in time: a script may hold it');
}
