import sax from 'sax';
import { SitemapError, type SitemapLimits } from './limits.js';

/** An entry of a sitemap as written, trimmed. */
export interface RawEntry {
  readonly kind: 'url' | 'sitemap';
  /** Not yet resolved, and not checked. */
  readonly location: string;
  readonly lastModified?: string;
}

/** By the root element: the kind of its entries, which is also the name of their elements. */
const KINDS: ReadonlyMap<string, RawEntry['kind']> = new Map([
  ['urlset', 'url'],
  ['sitemapindex', 'sitemap'],
]);

/** No date is longer. */
const DATE_LENGTH = 64;

/** An entry while it is read. */
interface OpenEntry {
  loc: string;
  lastmod: string;
}

/**
 * The entries of a sitemap or an index, by local names in any namespace. The parser knows no entities but those of HTML and numbers, and a
 * DOCTYPE, which could declare others or name an external file, is refused. It accepts common errors of sitemaps, such as a bare `&`.
 *
 * @throws SitemapError if it is something else, ends before its root element does, or exceeds a limit.
 */
export async function* readXml(text: AsyncIterable<string>, limits: SitemapLimits): AsyncGenerator<RawEntry> {
  const reader = new XmlReader(limits);
  for await (const piece of text) yield* reader.read(piece);
  reader.end();
}

class XmlReader {
  readonly #parser = sax.parser(false, { lowercase: true, noscript: true });
  readonly #limits: SitemapLimits;
  /** Local names of the open elements, the root first. */
  readonly #path: string[] = [];
  #isRootClosed = false;
  #kind: RawEntry['kind'] | undefined;
  #entry: OpenEntry = { loc: '', lastmod: '' };
  #entries: RawEntry[] = [];

  constructor(limits: SitemapLimits) {
    this.#limits = limits;
    const parser = this.#parser;
    parser.onerror = ({ message }) => {
      throw new SitemapError(`its XML is damaged: ${message.split('\n').join(', ')}`);
    };
    parser.ondoctype = (doctype) => {
      if (/^\s*html\b/i.test(doctype)) throw new SitemapError('it is an HTML page, not a sitemap');
      throw new SitemapError('it has a DOCTYPE, which may declare entities: it is refused');
    };
    // They are of no use, and would take any amount of memory.
    parser.onattribute = () => {
      parser.tag.attributes = {};
    };
    parser.onopentag = ({ name }) => this.#open(localName(name));
    parser.onclosetag = () => this.#close();
    parser.ontext = (text) => this.#add(text);
    parser.oncdata = (text) => this.#add(text);
  }

  read(piece: string): readonly RawEntry[] {
    this.#parser.write(piece);
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  end(): void {
    if (this.#kind === undefined) throw new SitemapError('it has no element <urlset> or <sitemapindex>');
    if (!this.#isRootClosed) throw new SitemapError('it is incomplete: it ends within an element');
  }

  #open(name: string): void {
    this.#path.push(name);
    const depth = this.#path.length;
    if (depth > this.#limits.elementDepth) throw new SitemapError(`its elements are nested more than ${this.#limits.elementDepth} deep`);
    if (depth === 1) this.#kind = kindOf(name);
    if (depth === 2) this.#entry = { loc: '', lastmod: '' };
  }

  #close(): void {
    const isEntry = this.#path.length === 2 && this.#path[1] === this.#kind;
    this.#path.pop();
    if (this.#path.length === 0) this.#isRootClosed = true;
    if (!isEntry || this.#kind === undefined) return;
    const { loc, lastmod } = this.#entry;
    const lastModified = lastmod.trim();
    this.#entries.push({ kind: this.#kind, location: loc.trim(), ...(lastModified !== '' && { lastModified }) });
  }

  #add(text: string): void {
    const [, entry, field, deeper] = this.#path;
    if (entry !== this.#kind || deeper !== undefined) return;
    // Longer than the limit, so that it is seen to exceed it, and no longer.
    if (field === 'loc' && this.#entry.loc.length <= this.#limits.urlLength) this.#entry.loc += text;
    if (field === 'lastmod') this.#entry.lastmod = (this.#entry.lastmod + text).slice(0, DATE_LENGTH);
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

function kindOf(root: string): RawEntry['kind'] {
  const kind = KINDS.get(root);
  if (kind !== undefined) return kind;
  const what = root === 'html' ? 'an HTML page' : `XML or HTML whose root element is <${root.slice(0, 60)}>`;
  throw new SitemapError(`it is ${what}, not a sitemap`);
}
