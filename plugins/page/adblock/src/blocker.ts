import { FiltersEngine, Request, type NetworkFilter, type RequestType } from '@ghostery/adblocker';
import type { CachedEngine, EngineFacts } from './build-worker.js';
import { matchLinearly } from './patterns/linear.js';

/** A request made by a document. */
export interface BlockableRequest {
  readonly url: string;
  /** The protocol's resource type (`Network.ResourceType`), `sub_frame` for the documents of frames. */
  readonly type: string;
  /** The document that makes the request. */
  readonly source: string;
}

export type FilterDecision =
  | { readonly kind: 'block'; readonly rule: string }
  | { readonly kind: 'replace'; readonly contentType: string; readonly body: Buffer }
  | { readonly kind: 'rewrite'; readonly url: string };

/** A query for the cosmetic rules of a document: its changes since the last query. */
export interface CosmeticQuery {
  readonly url: string;
  /** True for the first query of a document. It also returns rules for the site that depend on no class, id or link. */
  readonly first: boolean;
  readonly classes: readonly string[];
  readonly ids: readonly string[];
  readonly hrefs: readonly string[];
}

/** One loaded version of the lists. */
export interface Blocker {
  readonly facts: EngineFacts;
  /** Undefined: the request is not blocked. */
  check(asked: BlockableRequest): FilterDecision | undefined;
  /** The rule that blocks a top-level document: the target, a popup, or a redirect of either. */
  ruleAgainst(url: string): string | undefined;
  /** Whether an exception disables all blocking on that page (`@@||example.com^$document`). */
  exempts(url: string): boolean;
  /** CSS rules that hide elements, one selector list each. */
  stylesFor(look: CosmeticQuery): string;
  /** Scripts to run in the document before its own scripts. */
  scriptsFor(url: string): readonly string[];
}

/** Maximum number of URL characters that are matched against rules; the rest of a longer URL is ignored. */
const MAX_URL = 4096;

/** Throws if the bytes are not an engine of this version. */
export function createBlocker({ bytes, facts }: CachedEngine): Blocker {
  matchLinearly();
  const engine = FiltersEngine.deserialize(bytes);
  const hitsOfPage = (url: string) => [...engine.matchAll(pageRequest(url))];
  return {
    facts,
    check({ url, type, source }) {
      // The library uses the protocol's names in lower case.
      const request = Request.fromRawDetails({ url: cut(url), sourceUrl: cut(source), type: type.toLowerCase() as RequestType });
      const { match, filter, redirect, rewrite } = engine.match(request);
      if (match && redirect) return { kind: 'replace', ...replacementOf(redirect) };
      if (match) return { kind: 'block', rule: filter?.toString() ?? '' };
      // Results for a truncated URL must not be stored as results for the full URL.
      const isWhole = request.url === url;
      return isWhole && rewrite?.url !== undefined && rewrite.url !== url ? { kind: 'rewrite', url: rewrite.url } : undefined;
    },
    ruleAgainst(url) {
      const hits = hitsOfPage(url);
      const against = hits.filter((hit) => isBlocking(hit) && isMeantForPages(hit));
      const important = against.find((hit) => hit.isImportant());
      const isExcepted = hits.some((hit) => hit.isException() && !isHidingException(hit));
      return (important ?? (isExcepted ? undefined : against[0]))?.toString();
    },
    exempts: (url) => hitsOfPage(url).some((hit) => hit.isException() && hit.fromDocument() && !hit.fromAny() && !isHidingException(hit)),
    stylesFor({ url, first, classes, ids, hrefs }) {
      const { hostname, domain } = pageRequest(url);
      const page = { url, hostname, domain, classes: [...classes], ids: [...ids], hrefs: [...hrefs] };
      const parts = { getBaseRules: first, getRulesFromHostname: first, getRulesFromDOM: true };
      return engine.getCosmeticsFilters({ ...page, ...parts, getInjectionRules: false, getExtendedRules: false }).styles;
    },
    scriptsFor(url) {
      const { hostname, domain } = pageRequest(url);
      const parts = { getBaseRules: false, getRulesFromDOM: false, getInjectionRules: true, getExtendedRules: false };
      return engine.getCosmeticsFilters({ url, hostname, domain, ...parts }).scripts;
    },
  };
}

function pageRequest(url: string): Request {
  const known = cut(url);
  return Request.fromRawDetails({ url: known, sourceUrl: known, type: 'main_frame' });
}

/**
 * Shortens a long URL. Removes user name and password first, since a cut after them would turn them into the host. Appends a character that
 * no URL contains, so that the cut does not match as the end.
 */
function cut(url: string): string {
  if (url.length <= MAX_URL) return url;
  return `${url.replace(/^(https?:\/\/)[^/?#]*@/, '$1').slice(0, MAX_URL)}\u2026`;
}

function isBlocking(filter: NetworkFilter): boolean {
  return !filter.isException() && !filter.isCSP() && !filter.isRemoveParam() && !filter.isRedirect() && !isHidingException(filter);
}

/**
 * A rule that matches any path with `/ads/` applies to subresources; a rule that names a host, or documents, also applies to the page
 * itself.
 */
function isMeantForPages(filter: NetworkFilter): boolean {
  return filter.isHostnameAnchor() || beginsWithHost(filter) || (filter.fromDocument() && !filter.fromAny());
}

/** Matches `|http://example.com/`, but neither a scheme alone nor a scheme followed by a wildcard. */
function beginsWithHost(filter: NetworkFilter): boolean {
  return filter.isLeftAnchor() && /^https?:\/\/[^/*^]/.test(filter.getFilter());
}

function isHidingException(filter: NetworkFilter): boolean {
  return filter.isGenericHide() || filter.isSpecificHide();
}

function replacementOf({ contentType, body }: { readonly contentType: string; readonly body: string }): {
  readonly contentType: string;
  readonly body: Buffer;
} {
  const [type = '', coding] = contentType.split(/;\s*(?=base64$)/);
  return { contentType: type, body: Buffer.from(body, coding === 'base64' ? 'base64' : 'utf8') };
}
