import { make } from './dom.js';
import { ROOT } from './load-api.js';
import { createTabs } from './tabs.js';

/** Maximum characters of a text preview; the file is complete. */
export const MAX_SHOWN = 400_000;

export function showSource(text: string): HTMLElement {
  const shown =
    text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${String(text.length - MAX_SHOWN)} more characters are in the file` : text;
  return make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Source' }, shown);
}

/** The document in an iframe with an opaque origin that runs none of its scripts, and its source. */
export function showHtml(html: string, target: string): HTMLElement {
  return createTabs('HTML', [
    ['Rendered', () => showInFrame(withBase(html, target), 'The rendered HTML')],
    ['Source', () => showSource(html)],
  ]).element;
}

function showInFrame(html: string, title: string): HTMLElement {
  const frame = make('iframe', { sandbox: 'allow-scripts', title, referrerpolicy: 'no-referrer' });
  addEventListener('message', function deliver({ source, data }: MessageEvent) {
    if (!frame.isConnected) removeEventListener('message', deliver);
    if (source !== frame.contentWindow || data !== 'ready') return;
    removeEventListener('message', deliver);
    // The iframe has an opaque origin, so the target is `*`; the message contains only the document.
    frame.contentWindow?.postMessage(html, '*');
  });
  frame.src = new URL('playground/frame', ROOT).href;
  return frame;
}

/** Adds a `<base>`, since relative URLs refer to the rendered page and not to the iframe. */
function withBase(html: string, target: string): string {
  if (!/^https?:/i.test(target)) return html;
  // A template is inert: in a document this page's policy would refuse the `<base>`.
  const read = make('template');
  read.innerHTML = html;
  const own = read.content.querySelector('base[href]')?.getAttribute('href') ?? '';
  const base = make('base', { href: URL.canParse(own, target) ? new URL(own, target).href : target });
  // The first `<base>` counts; before the doctype it would cause quirks mode.
  return html.replace(/^(?:\s*<!--[\s\S]*?-->)*\s*(?:<!doctype[^>]*>)?/i, (head) => head + base.outerHTML);
}
