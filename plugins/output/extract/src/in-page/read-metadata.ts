import { textOf, toUrl } from './values.js';

export interface Metadata {
  readonly url: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly language: string | null;
  readonly canonical: string | null;
  readonly robots: string | null;
  readonly author: string | null;
  readonly open_graph: Properties;
  readonly twitter: Properties;
  readonly json_ld: readonly unknown[];
  readonly icons: readonly object[];
  readonly feeds: readonly object[];
}

/** A property that is there more than once is a list. */
type Properties = Readonly<Record<string, string | readonly string[]>>;

/** Properties of Open Graph and of Twitter cards that are URLs: sites write relative ones, too. */
const URLS = /^(?:og:(?:url|see_also|(?:image|video|audio)(?::(?:secure_)?url)?)|twitter:(?:url|image(?::src)?|player(?::stream)?))$/;

/** Read through the prototype, because a page may have named a form `title`. */
function ofDocument(name: 'title' | 'URL' | 'documentElement'): unknown {
  return Reflect.get(Document.prototype, name, document);
}

const nonEmpty = (text: string | null | undefined): string | null => ((text ?? '').trim() === '' ? null : (text ?? '').trim());

export function readMetadata(): Metadata {
  const metas = Array.from(document.querySelectorAll('meta[content]'), (meta) => ({
    name: (meta.getAttribute('property') ?? meta.getAttribute('name') ?? meta.getAttribute('http-equiv') ?? '').trim().toLowerCase(),
    content: (meta.getAttribute('content') ?? '').trim(),
  }));
  const contentOf = (name: string) => nonEmpty(metas.find((meta) => meta.name === name && meta.content !== '')?.content);
  const properties = (prefix: string): Properties => {
    const found: Record<string, string | string[]> = {};
    for (const { name, content } of metas) {
      if (!name.startsWith(prefix) || name === prefix) continue;
      const key = name.slice(prefix.length);
      const value = URLS.test(name) ? (toUrl(content) ?? content) : content;
      const earlier = Object.hasOwn(found, key) ? found[key] : undefined;
      Object.defineProperty(found, key, {
        value: earlier === undefined ? value : [earlier, value].flat(),
        ...{ enumerable: true, writable: true, configurable: true },
      });
    }
    return found;
  };
  const root = ofDocument('documentElement');
  return {
    url: toUrl(String(ofDocument('URL'))) ?? '',
    title: nonEmpty(String(ofDocument('title'))),
    description: contentOf('description') ?? contentOf('og:description') ?? contentOf('twitter:description'),
    language: nonEmpty(root instanceof Element ? root.getAttribute('lang') : null) ?? contentOf('content-language'),
    canonical: linksOf('canonical')[0]?.url ?? null,
    robots: contentOf('robots'),
    author: contentOf('author') ?? contentOf('article:author'),
    open_graph: properties('og:'),
    twitter: properties('twitter:'),
    json_ld: readJsonLd(),
    icons: [...linksOf('icon'), ...linksOf('apple-touch-icon'), ...linksOf('apple-touch-icon-precomposed')].map(
      ({ url, rel, type, sizes }) => ({
        ...{ url, rel, type, sizes },
      }),
    ),
    feeds: linksOf('alternate')
      .filter(({ type }) => /^application\/(rss\+xml|atom\+xml|feed\+json|json)\b/i.test(type ?? ''))
      .map(({ url, type, title }) => ({ url, type, title })),
  };
}

function linksOf(rel: string) {
  return Array.from(document.querySelectorAll('link[href]')).flatMap((link) => {
    const words = (link.getAttribute('rel') ?? '').toLowerCase().trim().split(/\s+/);
    const url = toUrl(link.getAttribute('href') ?? '');
    if (url === null || !words.includes(rel)) return [];
    const [type, sizes, title] = ['type', 'sizes', 'title'].map((name) => nonEmpty(link.getAttribute(name)));
    return [{ url, rel: words.join(' '), type, sizes, title }];
  });
}

/** Blocks that are not JSON are omitted. A list is written as its members. */
function readJsonLd(): readonly unknown[] {
  return Array.from(document.querySelectorAll('script[type]')).flatMap((script) => {
    if (!/^application\/ld\+json\b/i.test((script.getAttribute('type') ?? '').trim())) return [];
    try {
      const value: unknown = JSON.parse(script.textContent.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[)|(?:-->|\/\/\]\]>)\s*$/g, ''));
      return value;
    } catch {
      return [];
    }
  });
}

export interface PageLink {
  readonly url: string;
  readonly text: string;
  readonly rel: readonly string[];
}

/** In the order of the document; those to the same URL with the same text once. */
export function readLinks(): readonly PageLink[] {
  const links = new Map<string, PageLink>();
  for (const element of Array.from(document.querySelectorAll('a[href], area[href]'))) {
    const url = toUrl(element.getAttribute('href') ?? '');
    if (url === null || /^javascript:/i.test(url)) continue;
    const shown = textOf(element).replace(/\s+/g, ' ');
    const text = shown === '' ? (nonEmpty(element.getAttribute('aria-label')) ?? labelOf(element)) : shown;
    const rel = (element.getAttribute('rel') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const key = `${url} ${text}`;
    if (!links.has(key)) links.set(key, { url, text, rel });
  }
  return [...links.values()];
}

function labelOf(element: Element): string {
  const labeled = element.getAttribute('alt') ?? element.querySelector('img[alt]')?.getAttribute('alt') ?? element.getAttribute('title');
  return (labeled ?? '').trim();
}
