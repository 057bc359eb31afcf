import { contextKey, enableNetwork, type RenderContext, type TargetSession } from '@platen/kernel';

interface Loaded {
  readonly target: TargetSession;
  readonly requestId: string;
  readonly type: 'Font' | 'Image';
  readonly mimeType: string;
}

/** The loaded fonts and images, by the first requested URL. */
const LOADED = contextKey<ReadonlyMap<string, Loaded>>('mhtml: loaded');

/**
 * Chromium omits fonts of linked style sheets, and images of SVG `image`, `poster` and `image-set()`; it provides the bytes only to clients
 * that observed the responses.
 */
export function watchLoads(context: RenderContext): void {
  const loaded = new Map<string, Loaded>();
  context.page.targets.configure((target) => {
    if (!target.hasDocuments) return [];
    const requested = new Map<string, string>();
    target.on('Network.requestWillBeSent', ({ type, requestId, request }) => {
      // A redirect has the same request id.
      if ((type === 'Font' || type === 'Image') && !requested.has(requestId)) requested.set(requestId, request.url);
    });
    target.on('Network.responseReceived', ({ type, requestId, response: { url, mimeType } }) => {
      const first = requested.get(requestId) ?? url;
      if ((type === 'Font' || type === 'Image') && /^https?:/.test(first)) loaded.set(first, { target, requestId, type, mimeType });
    });
    return [enableNetwork(target)];
  });
  context.set(LOADED, loaded);
}

/** Appends a part for each missing font, and for each missing image that the document or a style sheet references. */
export async function addMissing(context: RenderContext, mhtml: string): Promise<string> {
  const boundary = /^Content-Type: multipart\/related;[^]*?boundary="(.+?)"/m.exec(mhtml)?.[1];
  const end = boundary === undefined ? -1 : mhtml.lastIndexOf(`--${boundary}--`);
  if (boundary === undefined || end < 0) return mhtml;
  const absent = [...(context.get(LOADED) ?? [])].filter(([url]) => !mhtml.includes(`\r\nContent-Location: ${url}\r\n`));
  const text = absent.some(([, { type }]) => type === 'Image') ? mhtml.replaceAll('=\r\n', '') : '';
  const missing = absent.filter(([url, { type }]) => type === 'Font' || isNamed(url, text));
  const parts = await Promise.all(missing.map(([url, one]) => readPart(url, one)));
  return mhtml.slice(0, end) + parts.map((part) => (part === '' ? '' : `--${boundary}\r\n${part}`)).join('') + mhtml.slice(end);
}

/** Whether the last part of the URL's path, or its host, occurs in quoted-printable text: this excludes tracking pixels. */
function isNamed(url: string, text: string): boolean {
  const [address = ''] = url.split(/[?#]/, 1);
  const name = address.split('/').findLast((part) => part !== '') ?? address;
  return text.includes(name) || text.includes(name.replaceAll('%', '='));
}

/** A file as a part, including its header; empty if it did not load completely, or the browser no longer has it. */
async function readPart(url: string, { target, requestId, mimeType }: Loaded): Promise<string> {
  const found = await target.send('Network.getResponseBody', { requestId }).catch(() => undefined);
  if (found === undefined) return '';
  const data = found.base64Encoded ? found.body : Buffer.from(found.body).toString('base64');
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType) ? mimeType : 'application/octet-stream';
  const header = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: ${url}\r\n`;
  return `${header}\r\n${data.replace(/.{76}(?=.)/g, '$&\r\n')}\r\n`;
}
