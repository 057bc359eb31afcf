import type { Page } from '@platen/kernel';

/** Timeout in milliseconds for a site to report a file's media type. */
const ASK_MS = 2_000;

/**
 * Content-Type of a file that the page saves by script or through a link's `download` attribute: the browser fetches such files without
 * reporting the response. `blob:` URLs are the page's own; a site is queried by HEAD, which has no side effects (RFC 9110, 9.3.2). Empty if
 * it is unknown.
 */
export async function askType(page: Page, url: string): Promise<string> {
  if (!/^(?:https?|blob):/i.test(url)) return '';
  return page.evaluate(askInPage, { url, limitMs: ASK_MS }).catch(() => '');
}

/** Runs in the page; must not capture outer variables. */
async function askInPage({ url, limitMs }: { readonly url: string; readonly limitMs: number }): Promise<string> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const method = url.startsWith('blob:') ? 'GET' : 'HEAD';
    // eslint-disable-next-line no-restricted-syntax -- the page's own, whose connections go through the egress like all of its others
    const answer = await fetch(url, { method, signal: limit });
    void answer.body?.cancel();
    return answer.ok ? (answer.headers.get('content-type') ?? '') : '';
  } catch {
    return '';
  }
}
