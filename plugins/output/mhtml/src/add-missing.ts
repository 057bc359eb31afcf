import { contextKey, type RenderContext, type TargetSession } from '@platen/kernel';

interface Font {
  readonly target: TargetSession;
  readonly requestId: string;
  readonly mimeType: string;
}

/** The fonts that were loaded, by URL. */
const FONTS = contextKey<ReadonlyMap<string, Font>>('mhtml: fonts');

/** Chromium leaves out the fonts that linked style sheets ask for, and holds them for those alone who have seen them come. */
export function watchFonts(context: RenderContext): Promise<void> {
  if (context.plan.capture.kind !== 'mhtml') return Promise.resolve();
  const fonts = new Map<string, Font>();
  context.page.targets.configure((target) => {
    if (target.kind !== 'page' && target.kind !== 'iframe') return [];
    target.on('Network.responseReceived', ({ type, requestId, response: { url, mimeType } }) => {
      if (type === 'Font' && /^https?:/.test(url)) fonts.set(url, { target, requestId, mimeType });
    });
    return [target.send('Network.enable')];
  });
  context.set(FONTS, fonts);
  return Promise.resolve();
}

/** Puts a part for each font that is missing at the end of the document. */
export async function addFonts(context: RenderContext, mhtml: string): Promise<string> {
  const boundary = /^Content-Type: multipart\/related;[^]*?boundary="(.+?)"/m.exec(mhtml)?.[1];
  const end = boundary === undefined ? -1 : mhtml.lastIndexOf(`--${boundary}--`);
  if (boundary === undefined || end < 0) return mhtml;
  const missing = [...(context.get(FONTS) ?? [])].filter(([url]) => !mhtml.includes(`\r\nContent-Location: ${url}\r\n`));
  const parts = await Promise.all(missing.map(([url, font]) => readPart(url, font)));
  return mhtml.slice(0, end) + parts.map((part) => (part === '' ? '' : `--${boundary}\r\n${part}`)).join('') + mhtml.slice(end);
}

/** A font as a part, header and all; empty where it did not come to its end, or the browser does not have it any more. */
async function readPart(url: string, { target, requestId, mimeType }: Font): Promise<string> {
  const found = await target.send('Network.getResponseBody', { requestId }).catch(() => undefined);
  if (found === undefined) return '';
  const data = found.base64Encoded ? found.body : Buffer.from(found.body).toString('base64');
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : 'application/octet-stream';
  const header = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: ${url}\r\n`;
  return `${header}\r\n${data.replace(/.{76}(?=.)/g, '$&\r\n')}\r\n`;
}
