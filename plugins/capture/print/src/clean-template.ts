import type { DefaultTreeAdapterTypes } from 'parse5';
import { invalidParameter } from '@platen/kernel';
import { isTemplate, type Paper } from './paper.js';
import type { PrintParams } from './params.js';

/** The browser's own header and footer have the date and the title: an empty element replaces them. */
const NOTHING = '<span></span>';

/** The options of Page.printToPDF for header and footer. */
export async function planTemplates(params: PrintParams, paper: Paper) {
  const keys = ['pdf_header', 'pdf_footer'] as const;
  if (!keys.some((key) => isTemplate(params[key]))) return {};
  const prepare = async (key: (typeof keys)[number]) => {
    const template = params[key];
    if (!isTemplate(template)) return NOTHING;
    try {
      return inBlock(await cleanTemplate(template), paper);
    } catch (error) {
      if (error instanceof RangeError) throw invalidParameter(key, `"${key}" has too many or too deeply nested elements`);
      throw error;
    }
  };
  const [headerTemplate, footerTemplate] = await Promise.all(keys.map(prepare));
  return { displayHeaderFooter: true, ...(headerTemplate && { headerTemplate }), ...(footerTemplate && { footerTemplate }) };
}

/** The browser lays a template out as items of a flex box in tiny type, without the spaces between them, from the paper's edge. */
function inBlock(html: string, { marginLeft, marginRight }: Paper): string {
  const style = `box-sizing: border-box; width: 100%; padding: 0 ${String(marginRight)}in 0 ${String(marginLeft)}in; font-size: 9pt`;
  return `<div style="${style}">${html}</div>`;
}

/** Elements that run scripts, or load documents, media or style sheets. `set` and `animate` may change the URL of another element. */
const ACTIVE: ReadonlySet<string> = new Set([
  ...['script', 'link', 'base', 'meta', 'iframe', 'frame', 'object', 'embed', 'video', 'audio', 'template', 'noscript'],
  ...['set', 'animate', 'animateMotion'],
]);

const LOADING: ReadonlySet<string> = new Set(['src', 'srcset', 'href', 'data', 'poster', 'background']);

/** Chromium's own limit. */
const MAX_DEPTH = 512;

const MAX_ELEMENTS = 10_000;

/**
 * Removes scripts, and everything that would load a resource other than a data: URL. The browser loads nothing else for templates, and a
 * style sheet, a font or an SVG file that it waits for fails the print or crashes the page.
 */
async function cleanTemplate(html: string): Promise<string> {
  const { defaultTreeAdapter, parseFragment, serialize } = await import('parse5');
  let depth = 0;
  let elements = 0;
  const onItemPush = () => {
    depth += 1;
    elements += 1;
    // The parser's time grows with the square of the depth, and unclosed formatting elements are repeated in each paragraph.
    if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) throw new RangeError('too many or too deeply nested elements');
  };
  const onItemPop = () => {
    depth -= 1;
  };
  const root = parseFragment(html, { treeAdapter: { ...defaultTreeAdapter, onItemPush, onItemPop } });
  const open: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    parent.childNodes = parent.childNodes.filter((node) => !ACTIVE.has(node.nodeName));
    const isStyle = parent.nodeName === 'style';
    for (const node of parent.childNodes) {
      if (isStyle && 'value' in node) node.value = cleanCss(node.value);
      if ('attrs' in node) node.attrs = node.attrs.filter(isHarmless).map(cleanAttribute);
      if ('childNodes' in node) open.push(node);
    }
  }
  return serialize(root);
}

interface Attribute {
  name: string;
  value: string;
}

function isHarmless({ name, value }: Attribute): boolean {
  return !name.startsWith('on') && (!LOADING.has(name) || isLoadable(value));
}

/** Styles, and presentation attributes of SVG. */
function cleanAttribute<T extends Attribute>(attribute: T): T {
  return LOADING.has(attribute.name) ? attribute : { ...attribute, value: cleanCss(attribute.value) };
}

function isLoadable(url: string): boolean {
  return /^\s*(?:data:|#|$)/i.test(url);
}

/** Without `@import`, and without URLs to load. */
function cleanCss(css: string): string {
  return unescapeLetters(css)
    .replace(/@import\b(?:"[^"]*"|'[^']*'|url\([^()]*\)|[^;"'}])*;?/gi, '')
    .replace(/url\(\s*("[^"]*(?:"\s*|$)|'[^']*(?:'\s*|$)|[^\s"')][^)]*|)(?:\)|$)/gi, (whole, url: string) =>
      isLoadable(url.replace(/^["']/, '')) ? whole : 'url(data:,)',
    );
}

/** Escaped letters hide names: `u\72l(`. */
function unescapeLetters(css: string): string {
  return css.replace(
    /\\(?:0{0,4}([4-7][\da-f])(?![\da-f])\s?|([g-z])|\\)/gi,
    (whole, code: string | undefined, letter: string | undefined) => {
      const meant = code === undefined ? (letter ?? '') : String.fromCharCode(parseInt(code, 16));
      return /[a-z]/i.test(meant) ? meant : whole;
    },
  );
}
