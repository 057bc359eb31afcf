import {
  contextKey,
  type Download,
  enableNetwork,
  type EventPayload,
  type Page,
  type RenderContext,
  type TargetTree,
} from '@platen/kernel';
import { withoutFragment } from './media-type.js';

/** Media types that a browser displays, whatever their status. */
const SHOWN = /^(?:text\/|image\/|audio\/|video\/|multipart\/|application\/(?:json|(?:java|ecma)script|.*xml)|.*\+(?:json|xml))/i;

/** Timeout in milliseconds for a site to report a file's media type. */
const ASK_MS = 2_000;

/** The state of a render's downloads. */
export interface Begun {
  readonly download: Download;
  /** Content-Type by URL; queried while the file downloads. */
  readonly types: Promise<ReadonlyMap<string, string>>;
}

export interface DownloadWatch {
  /** If there are several, the others are canceled. */
  readonly first: Promise<Begun>;
}

export const DOWNLOAD_WATCH = contextKey<DownloadWatch>('download');

/** From here on downloads are accepted. The first download ends all waiting. */
export async function watchDownloads(context: RenderContext): Promise<void> {
  const types = watchTypes(context.page.targets);
  const downloads = await context.acceptDownloads();
  if (acceptsErrors(context.params)) await acceptErrorFiles(context);
  const first = new Promise<Begun>((resolve) => {
    let begun = false;
    downloads.onBegin((download) => {
      if (begun) {
        void download.cancel();
        return;
      }
      begun = true;
      resolve({ download, types: typesFor(download, context, types) });
      context.ready();
    });
  });
  context.set(DOWNLOAD_WATCH, { first });
}

/** `fail` is one of the kernel's own parameters. */
function acceptsErrors(params: Readonly<Record<string, unknown>>): boolean {
  return params.fail === false;
}

/** Uses the observed responses; for a file without an observed response, queries its page now. */
async function typesFor(
  { url }: Download,
  { page }: RenderContext,
  seen: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const key = withoutFragment(url);
  if (seen.has(key)) return seen;
  const type = await askType(page, url);
  return type === '' ? seen : new Map([...seen, [key, type]]);
}

/** Content-Type by URL of all loaded resources: a script may already have fetched a file that a link's attribute saves later. */
function watchTypes(targets: TargetTree): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  targets.configure((target) => {
    if (!target.hasDocuments) return [];
    target.on('Network.responseReceived', ({ response }) => {
      if (response.status >= 300) return;
      const [, value = response.mimeType] = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
      types.set(withoutFragment(response.url), value);
    });
    return [enableNetwork(target)];
  });
  return types;
}

/**
 * Content-Type of a file that the page saves by script or through a link's `download` attribute: the browser fetches such files without
 * reporting the response. `blob:` URLs are the page's own; a site is queried by HEAD, which has no side effects (RFC 9110, 9.3.2). Empty if
 * it is unknown.
 */
async function askType(page: Page, url: string): Promise<string> {
  if (!/^(?:https?|blob):/i.test(url)) return '';
  return page.evaluate(askInPage, { url, limitMs: ASK_MS }).catch(() => '');
}

/** Runs in the page; must not capture outer variables. */
async function askInPage({ url, limitMs }: { readonly url: string; readonly limitMs: number }): Promise<string> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const method = url.startsWith('blob:') ? 'GET' : 'HEAD';
    // eslint-disable-next-line no-restricted-syntax -- the page's own, whose connections go through the egress like all of its others
    const response = await fetch(url, { method, signal: limit });
    void response.body?.cancel();
    return response.ok ? (response.headers.get('content-type') ?? '') : '';
  } catch {
    return '';
  }
}

type Paused = EventPayload<'Fetch.requestPaused'>;

/**
 * With `fail=false` an error response is the result, and a file if it is sent as one. Browsers cancel such downloads, so the main
 * document's response continues with another status, through a dedicated protocol session beside other interceptors. `X-Target-Status` has
 * the original status.
 */
async function acceptErrorFiles(context: RenderContext): Promise<void> {
  const { page } = context;
  const session = await page.openSession();
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, responseStatusCode: status = 0, responseHeaders = [], frameId } = paused;
    const change = frameId === page.mainFrameId && isErrorFile(paused);
    if (change) context.setResponseHeader('X-Target-Status', String(status));
    const response = change ? { requestId, responseCode: 200, responsePhrase: 'OK', responseHeaders } : { requestId };
    // The request's owner has already canceled it.
    session.send('Fetch.continueResponse', response).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }] });
}

function isErrorFile({ responseStatusCode: status = 0, responseHeaders = [] }: Paused): boolean {
  if (status < 400) return false;
  const header = (wanted: string) => responseHeaders.find(({ name }) => name.toLowerCase() === wanted)?.value.trim() ?? '';
  const type = header('content-type');
  return /^attachment\b/i.test(header('content-disposition')) || (type !== '' && !SHOWN.test(type));
}
