import { make } from './dom.js';
import { isObject, listAt, numberAt, objectAt, textAt, type Json } from './read-json.js';

/** Markdown as elements. HTML in it is shown as text, and images as links: the page loads nothing from other servers. */
export async function showProse(text: string): Promise<HTMLElement> {
  const { lexer } = await import('./packages.js');
  return make('div', { class: 'prose', tabindex: 0, role: 'region', 'aria-label': 'Markdown' }, ...showTokens(lexer(text)));
}

function showTokens(tokens: unknown): readonly (Node | string)[] {
  return Array.isArray(tokens) ? tokens.filter(isObject).map(showToken) : [];
}

function showToken(token: Json): Node | string {
  const [type, text] = [textAt(token, 'type'), textAt(token, 'text')];
  const inside = Array.isArray(token['tokens']) ? showTokens(token['tokens']) : [text];
  switch (type) {
    case 'heading':
      // Not a heading of this page, whose outline it would break.
      return make('p', { class: `title level-${String(numberAt(token, 'depth'))}` }, ...inside);
    case 'code':
      return make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Code of the page' }, text);
    case 'codespan':
      return make('code', {}, text);
    case 'paragraph':
      return make('p', {}, ...inside);
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
      return make(type, {}, ...inside);
    case 'hr':
    case 'br':
      return make(type);
    case 'list': {
      const items = listAt(token, 'items').map((item) => make('li', {}, ...showTokens(objectAt(item)['tokens'])));
      return token['ordered'] === true ? make('ol', { start: numberAt(token, 'start') }, ...items) : make('ul', {}, ...items);
    }
    case 'table':
      return showTable(token);
    case 'link':
      return showLink(textAt(token, 'href'), inside);
    case 'image':
      return showLink(textAt(token, 'href'), [`🖼 ${text || 'image'}`]);
    case 'space':
    case 'def':
      return '';
    default:
      return inside.length === 1 && inside[0] !== undefined ? inside[0] : make('span', {}, ...inside);
  }
}

function showTable(token: Json): HTMLElement {
  const showRow = (tag: 'th' | 'td', cells: unknown) =>
    make('tr', {}, ...[cells].flat().map((cell) => make(tag, {}, ...showTokens(objectAt(cell)['tokens']))));
  const rows = listAt(token, 'rows').map((cells) => showRow('td', cells));
  const table = make('table', {}, make('thead', {}, showRow('th', token['header'])), make('tbody', {}, ...rows));
  return make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of the page' }, table);
}

/** Other schemes would act in this page. */
function showLink(href: string, content: readonly (Node | string)[]): HTMLElement {
  return /^(?:https?:\/\/|mailto:)/i.test(href)
    ? make('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...content)
    : make('span', { title: href }, ...content);
}
