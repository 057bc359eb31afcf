import { matchesGlob, readUrl } from '@platen/kernel';
import { type Frontier, keyOfUrl, type Offer } from '@platen/lib-frontier';
import { getDomain } from 'tldts';
import type { WalkSource } from './keys.js';
import type { PageContent } from './visit-page.js';

export interface UrlOffersOptions {
  readonly frontier: Pick<Frontier, 'offer'>;
  readonly scope: Scope;
  readonly sources: readonly WalkSource[];
  /** Keys of URLs that are never offered. */
  readonly except: ReadonlySet<string>;
  /** URLs were offered. */
  readonly onOffered: () => void;
}

export interface OfferedFrom extends Pick<WalkSource, 'staysInScope'> {
  readonly depth: number;
  readonly parent?: string | undefined;
  /** Of relative URLs. */
  readonly base?: string;
  /** To be fetched without a tab. */
  readonly isFile?: boolean;
}

/** Offers the frontier of a walk the URLs that are in its scope. */
export class UrlOffers {
  readonly #options: UrlOffersOptions;

  constructor(options: UrlOffersOptions) {
    this.#options = options;
  }

  /** The links and media of a page. */
  async follow({ links, media, base }: PageContent, { url: parent, depth }: Pick<Offer, 'url' | 'depth'>): Promise<void> {
    const maxDepth = Math.max(...this.#options.sources.map((source) => (source.find === undefined ? 0 : (source.maxDepth ?? Infinity))), 0);
    await this.add(media, { depth, parent, base, isFile: true, staysInScope: false });
    if (depth < maxDepth) await this.add(links, { depth: depth + 1, parent, base, staysInScope: true });
  }

  async add(urls: readonly string[], { depth, parent, base, isFile = false, staysInScope }: OfferedFrom): Promise<void> {
    const { scope, frontier, except, onOffered } = this.#options;
    const admitted = urls
      .flatMap((url) => scope.admit(url, { staysInScope, ...(base === undefined ? {} : { base }) }) ?? [])
      .filter((url) => !except.has(keyOfUrl(url)));
    if (admitted.length === 0) return;
    await frontier.offer(admitted.map((url) => ({ url, depth, parent, ...(isFile ? { isFile } : {}) })));
    onOffered();
  }
}

interface ScopeOptions {
  /** URL whose registrable domain is the scope. */
  readonly seed: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Which URLs a walk visits. */
export interface Scope {
  /** An absolute http(s) URL without fragment and userinfo, or undefined if the walk does not visit it. */
  admit(url: string, options: { readonly staysInScope: boolean; readonly base?: string }): string | undefined;
}

/** The registrable domain of the Public Suffix List, or the host itself if it has none (an address, `localhost`). */
export function createScope({ seed, allow, deny }: ScopeOptions): Scope {
  const home = siteOf(new URL(seed));
  return {
    admit(text, { staysInScope, base }) {
      const url = readUrl(text.trim(), base);
      if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
      if (staysInScope && siteOf(url) !== home) return undefined;
      url.hash = '';
      [url.username, url.password] = ['', ''];
      const isDenied = deny.some((glob) => matchesGlob(glob, url.href)) && !allow.some((glob) => matchesGlob(glob, url.href));
      return isDenied ? undefined : url.href;
    },
  };
}

function siteOf({ hostname }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** Storing each URL of a long list by itself would take longer than to read the list. */
const LARGEST_BATCH = 1000;

/** The first item alone, so that the walk begins; then twice as many each time. */
export async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  let size = 1;
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
    size = Math.min(LARGEST_BATCH, 2 * size);
  }
  if (batch.length > 0) yield batch;
}

/** Lists that a walk may fetch whatever `crawl_max_links` says. */
const MIN_LISTS = 100;

/** Fetches lists up to a number, the target among them, since an index may name lists without end. Then `reached` is called once. */
export function limitLists<T>(maxPages: number, { open, reached }: { open(url: string): Promise<T>; reached(url: string): void }) {
  const most = Math.max(MIN_LISTS, maxPages);
  let count = 1;
  return (url: string): Promise<T | undefined> => {
    count += 1;
    if (count <= most) return open(url);
    if (count === most + 1) reached(url);
    return Promise.resolve(undefined);
  };
}
