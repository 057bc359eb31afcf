import type { InterceptedRequest, InterceptResult } from '@platen/kernel';
import type { Blocker, Ruling } from './blocker.js';
import type { FrameBook } from './frame-book.js';

/** Told of what was kept from the page. */
export type Count = (kind: Ruling['kind']) => void;

/** What becomes of one request; undefined lets it go. */
export function filterRequest(
  request: InterceptedRequest,
  { blocker, book, count }: { readonly blocker: Blocker; readonly book: FrameBook; readonly count: Count },
): InterceptResult | undefined {
  const { url, resourceType } = request;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const isDocument = resourceType === 'Document';
  if (!book.isPage(request) && blocker.exempts(book.topOf(request))) return undefined;
  const type = isDocument ? 'sub_frame' : resourceType;
  const ruling = book.isPage(request)
    ? judgePage(url.href, blocker)
    : blocker.judge({ url: url.href, type, source: book.sourceOf(request) });
  if (ruling === undefined) {
    if (isDocument) book.coming(request);
    return undefined;
  }
  count(ruling.kind);
  return toInterceptResult(ruling, request);
}

function judgePage(url: string, blocker: Blocker): Ruling | undefined {
  if (blocker.exempts(url)) return undefined;
  const rule = blocker.ruleAgainst(url);
  if (rule !== undefined) return { kind: 'block', rule };
  const ruling = blocker.judge({ url, type: 'document', source: url });
  return ruling?.kind === 'rewrite' ? ruling : undefined;
}

function toInterceptResult(ruling: Ruling, { headers }: InterceptedRequest): InterceptResult {
  if (ruling.kind === 'block') return { fail: 'BlockedByClient' };
  // Requests across origins need a permission; there is nothing to be protected in what comes from here.
  const origin = [...headers].find(([name]) => name.toLowerCase() === 'origin')?.[1];
  const permission = [
    ['Access-Control-Allow-Origin', origin ?? '*'],
    ['Access-Control-Allow-Credentials', 'true'],
  ] as const;
  if (ruling.kind === 'rewrite') {
    // Method and body stay (RFC 9110, 15.4.8).
    return { fulfill: { status: 307, headers: [['Location', ruling.url], ...permission], body: Buffer.alloc(0) } };
  }
  return { fulfill: { status: 200, headers: [['Content-Type', ruling.contentType], ...permission], body: ruling.body } };
}
