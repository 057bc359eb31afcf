import { matchesGlob } from '@platen/kernel';
import { getDomain } from 'tldts';

/** URLs by scheme, host, port and path. */
export interface UrlScope {
  allows(url: string): boolean;
}

export type InitialScope = 'origin' | 'domain' | 'path';

/** Where a navigator may go: the initial scope of the start URL, and the globs. A start without an origin, and no globs: everywhere. */
export function createUrlScope(start: string, initial: InitialScope, globs: readonly string[]): UrlScope {
  const url = new URL(start);
  const hasOrigin = url.protocol === 'http:' || url.protocol === 'https:';
  if (!hasOrigin && globs.length === 0) return { allows: () => true };
  const rules = [...(hasOrigin ? [initialRule(url, initial)] : []), ...globs.map((glob) => globRule(glob, hasOrigin ? url : undefined))];
  return { allows: (text) => matchesAny(rules, text) };
}

/** Where a credential may be filled in. Without globs: the site of the start URL, by a scheme that is not weaker. */
export function createCredentialScope(start: string, globs: readonly string[] | undefined): UrlScope {
  const url = new URL(start);
  const base = /^https?:$/.test(url.protocol) ? url : undefined;
  if (globs !== undefined) {
    const rules = globs.map((glob) => globRule(glob, base));
    return { allows: (text) => matchesAny(rules, text) };
  }
  if (base === undefined) return { allows: () => false };
  const isSite = initialRule(base, 'domain');
  return { allows: (text) => matchesAny([(other) => isSite(other) && (other.protocol === 'https:' || base.protocol === 'http:')], text) };
}

type UrlRule = (url: URL) => boolean;

/** Documents without an address of their own belong to the page that made them. */
const BLANK = /^about:(?:blank|srcdoc)(?:[?#]|$)/;

function matchesAny(rules: readonly UrlRule[], text: string): boolean {
  if (BLANK.test(text)) return true;
  if (!URL.canParse(text)) return false;
  const url = new URL(text.startsWith('blob:') ? text.slice('blob:'.length) : text);
  return rules.some((rule) => rule(url));
}

function initialRule(start: URL, initial: InitialScope): UrlRule {
  if (initial === 'origin') return ({ origin }) => origin === start.origin;
  if (initial === 'path') {
    const folder = start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1);
    return ({ origin, pathname }) => origin === start.origin && pathname.startsWith(folder);
  }
  const site = siteOf(start);
  return (url) => /^https?:$/.test(url.protocol) && siteOf(url) === site;
}

/** The registrable domain of the Public Suffix List, or the host itself if it has none (an address, `localhost`). */
function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** @param base the start URL, if it has an origin */
function globRule(glob: string, base: URL | undefined): UrlRule {
  if (glob === '*') return () => true;
  if (glob.startsWith('/')) return (url) => base?.origin === url.origin && isPath(glob, url);
  const [, scheme, host = '', port, path = ''] = /^(?:([a-z*]+):\/\/)?([^/:]*|\[[^\]]*\])(?::(\d+|\*))?(\/.*)?$/i.exec(glob) ?? [];
  const schemes = scheme === undefined ? (base?.protocol === 'http:' ? ['http', 'https'] : ['https']) : [scheme.toLowerCase()];
  return (url) => {
    const own = DEFAULT_PORTS[url.protocol];
    if (own === undefined || !(schemes.includes('*') || schemes.includes(url.protocol.slice(0, -1)))) return false;
    const isPort = port === '*' || (url.port === '' ? own : url.port) === (port ?? own);
    return isPort && matchesGlob(host.toLowerCase(), url.hostname) && (path === '' || path === '/' || isPath(path, url));
  };
}

/** The query counts if the glob has one. */
function isPath(glob: string, { pathname, search }: URL): boolean {
  return matchesGlob(glob, glob.includes('?') ? pathname + search : pathname);
}
