import type { InterceptedRequest, InterceptResult } from '@platen/kernel';
import type { Blocker, FilterDecision } from './blocker.js';
import type { FrameRegistry } from './frame-registry.js';

/** Called for each request that is blocked, replaced or rewritten. */
export type Count = (kind: FilterDecision['kind']) => void;

/** The decision about one request; undefined lets it continue. */
export function filterRequest(
  request: InterceptedRequest,
  { blocker, book, count }: { readonly blocker: Blocker; readonly book: FrameRegistry; readonly count: Count },
): InterceptResult | undefined {
  const { url, resourceType } = request;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const isDocument = resourceType === 'Document';
  if (!book.isPage(request) && blocker.exempts(book.topOf(request))) return undefined;
  const type = isDocument ? 'sub_frame' : resourceType;
  const decision = book.isPage(request)
    ? judgePage(url.href, blocker)
    : blocker.check({ url: url.href, type, source: book.sourceOf(request) });
  if (decision === undefined) {
    if (isDocument) book.coming(request);
    return undefined;
  }
  count(decision.kind);
  return toInterceptResult(decision, request);
}

function judgePage(url: string, blocker: Blocker): FilterDecision | undefined {
  if (blocker.exempts(url)) return undefined;
  const rule = blocker.ruleAgainst(url);
  if (rule !== undefined) return { kind: 'block', rule };
  const decision = blocker.check({ url, type: 'document', source: url });
  return decision?.kind === 'rewrite' ? decision : undefined;
}

function toInterceptResult(decision: FilterDecision, { headers }: InterceptedRequest): InterceptResult {
  if (decision.kind === 'block') return { fail: 'BlockedByClient' };
  // Cross-origin requests need CORS permission. The response comes from here, so allowing it exposes nothing.
  const origin = [...headers].find(([name]) => name.toLowerCase() === 'origin')?.[1];
  const permission = [
    ['Access-Control-Allow-Origin', origin ?? '*'],
    ['Access-Control-Allow-Credentials', 'true'],
  ] as const;
  if (decision.kind === 'rewrite') {
    // Status 307 keeps method and body (RFC 9110, 15.4.8).
    return { fulfill: { status: 307, headers: [['Location', decision.url], ...permission], body: Buffer.alloc(0) } };
  }
  return { fulfill: { status: 200, headers: [['Content-Type', decision.contentType], ...permission], body: decision.body } };
}
