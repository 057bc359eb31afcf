import { FiltersEngine, Request, type NetworkFilter, type RequestType } from '@ghostery/adblocker';
import type { CachedEngine, EngineFacts } from './build-worker.js';
import { matchLinearly } from './patterns/linear.js';

/** A request for something that a document shows or asks for. */
export interface BlockableRequest {
  readonly url: string;
  /** The protocol's resource type (`Network.ResourceType`), `sub_frame` for the documents of frames. */
  readonly type: string;
  /** The document that asks. */
  readonly source: string;
}

export type FilterDecision =
  | { readonly kind: 'block'; readonly rule: string }
  | { readonly kind: 'replace'; readonly contentType: string; readonly body: Buffer }
  | { readonly kind: 'rewrite'; readonly url: string };

/** What is looked for in a document: what has come into it since it was looked at last. */
export interface CosmeticQuery {
  readonly url: string;
  /** The first of this document: what is hidden for its site, and not for a class, an id or a link. */
  readonly first: boolean;
  readonly classes: readonly string[];
  readonly ids: readonly string[];
  readonly hrefs: readonly string[];
}

/** One state of the lists. */
export interface Blocker {
  readonly facts: EngineFacts;
  /** Undefined lets the request go. */
  check(asked: BlockableRequest): FilterDecision | undefined;
  /** The rule that forbids a page of its own: the target, a popup, where either is redirected to. */
  ruleAgainst(url: string): string | undefined;
  /** Whether an exception lets everything on that page be (`@@||example.com^$document`). */
  exempts(url: string): boolean;
  /** Style rules that hide, one selector list each. */
  stylesFor(look: CosmeticQuery): string;
  /** Scripts to be run in the document before its own. */
  scriptsFor(url: string): readonly string[];
}

/** Characters of an address that rules are looked for in; the rest of a longer one is not looked at. */
const MAX_URL = 4096;

/** Throws where the bytes are no engine of this version. */
export function createBlocker({ bytes, facts }: CachedEngine): Blocker {
  matchLinearly();
  const engine = FiltersEngine.deserialize(bytes);
  const hitsOfPage = (url: string) => [...engine.matchAll(pageRequest(url))];
  return {
    facts,
    check({ url, type, source }) {
      // The protocol's names are the library's, in lower case.
      const request = Request.fromRawDetails({ url: cut(url), sourceUrl: cut(source), type: type.toLowerCase() as RequestType });
      const { match, filter, redirect, rewrite } = engine.match(request);
      if (match && redirect) return { kind: 'replace', ...replacementOf(redirect) };
      if (match) return { kind: 'block', rule: filter?.toString() ?? '' };
      // What is made of the beginning of an address is another one.
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
 * Without a user's name and password where there is more than is looked at: they would stand in the place of the host. A cut is marked by
 * what no address holds, lest it pass for the end.
 */
function cut(url: string): string {
  if (url.length <= MAX_URL) return url;
  return `${url.replace(/^(https?:\/\/)[^/?#]*@/, '$1').slice(0, MAX_URL)}\u2026`;
}

function isBlocking(filter: NetworkFilter): boolean {
  return !filter.isException() && !filter.isCSP() && !filter.isRemoveParam() && !filter.isRedirect() && !isHidingException(filter);
}

/** A rule for whatever has `/ads/` in its path is about what pages load; one that names a host, or documents, is about the page too. */
function isMeantForPages(filter: NetworkFilter): boolean {
  return filter.isHostnameAnchor() || beginsWithHost(filter) || (filter.fromDocument() && !filter.fromAny());
}

/** `|http://example.com/`, and not the scheme alone, nor one with a wildcard behind it. */
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
