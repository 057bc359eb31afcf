import { Readability } from '@mozilla/readability';
import { userinfoOf } from '@platen/lib-page-functions';

export interface Article {
  readonly url: string;
  readonly title: string;
  readonly lang: string;
  readonly dir: string;
  /** Of its content, with absolute URLs, in UTF-16 code units. */
  readonly length: number;
  /** The first characters of the content. A longer content is stored in the isolated world as `platenText`. */
  readonly text: string;
}

/** The article of the document; null if it has none. The document itself stays as it is. */
export function readArticle(most: number): Article | null {
  // Read through prototypes, because a page may have named a form `title`.
  const own = (name: 'URL' | 'documentElement'): unknown => Reflect.get(Document.prototype, name, document);
  // A clone has the class of its original.
  const copy = Node.prototype.cloneNode.call(document, true) as Document;
  const headings = Array.from(copy.querySelectorAll('h1, h2'), ({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  // Readability 0.6.0 takes formulas for menus, because MathJax names their context menu.
  for (const formula of Array.from(copy.querySelectorAll('mjx-container'))) formula.removeAttribute('class');
  // Nothing of an article runs.
  for (const element of Array.from(copy.querySelectorAll('*'))) {
    for (const name of element.getAttributeNames()) if (/^on./i.test(name) || name === 'srcdoc') element.removeAttribute(name);
  }
  // The listing's language is a class.
  const article = new Readability(copy, { keepClasses: true }).parse();
  const { content, textContent, title, lang, dir } = article ?? {};
  if (content === undefined || content === null || content === '' || (textContent ?? '').trim() === '') return null;
  const shown = (title ?? '').trim();
  // It removes the heading that repeats the title.
  const heading = /<h[12]\b/i.test(content) ? undefined : headings.find((text) => text !== '' && isPart(text, shown));
  const whole = heading === undefined ? content : `<h1>${escape(heading)}</h1>${content}`;
  // Without the credentials of the document's own URL, by which relative ones were completed.
  const url = String(own('URL'));
  const userinfo = userinfoOf(url);
  const html = whole.replaceAll(userinfo, '//');
  if (html.length > most) Reflect.set(globalThis, 'platenText', html);
  const root = own('documentElement');
  const ofRoot = root instanceof Element ? root.getAttribute('lang') : null;
  return {
    url: url.replace(userinfo, '//'),
    title: shown,
    lang: lang ?? ofRoot ?? '',
    dir: dir ?? '',
    length: html.length,
    text: html.slice(0, most),
  };
}

function isPart(heading: string, title: string): boolean {
  const [one, other] = [heading, title].map((text) => text.toLowerCase());
  return one !== undefined && other !== undefined && other !== '' && (other.includes(one) || one.includes(other));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
