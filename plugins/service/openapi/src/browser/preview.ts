import { make } from './dom.js';
import { ROOT } from './load-api.js';
import { createTabs } from './tabs.js';
import { isObject } from './read-json.js';

/** Members of one level shown at a time. */
const PAGE = 200;

/** Maximum characters of a text preview; the file is complete. */
const MAX_SHOWN = 400_000;
/** Maximum characters of JSON shown as a tree: larger ones would block the page. */
const MAX_TREE = 30_000_000;

export interface Previewed {
  readonly body: Blob;
  readonly contentType: string;
  /** Object URL of the body. */
  readonly url: string;
  /** File name for downloads. */
  readonly name: string;
  /** The URL of the page that was rendered. */
  readonly target: string;
}

const PDF = 'application/pdf';

/**
 * The media type of a body's object URL, which has this page's origin: that of the preview, never a type chosen by the target, which
 * the browser could open as a document of this origin.
 */
export function shownType(contentType: string): string {
  const type = essenceOf(contentType);
  return type === PDF || /^(?:image|video)\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
}

function essenceOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Preview of an output, by content type. */
export async function showPreview({ body, contentType, url, name, target }: Previewed): Promise<HTMLElement> {
  const type = essenceOf(contentType);
  if (type.startsWith('image/')) return showMedia(make('img', { src: url, alt: 'The rendered page' }), type);
  if (type.startsWith('video/')) {
    return showMedia(
      make('video', {
        src: url,
        controls: true,
        autoplay: true,
        muted: true,
        loop: true,
        playsinline: true,
        'aria-label': 'The rendered page',
      }),
      type,
    );
  }
  if (type === PDF) return showPdf(url, name);
  if (type === 'text/html') return showHtml(await body.text(), target);
  if (isJson(type) && body.size < MAX_TREE) return showParsed(await body.text());
  if (type.startsWith('text/') || type === 'multipart/related' || isJson(type))
    return showSource(await body.slice(0, MAX_SHOWN * 2).text());
  return createNotice('No preview of this format is available.', 'Download the file to open it elsewhere.');
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json') || type === 'application/x-ndjson';
}

/** Shows a message if the browser does not support the format. */
function showMedia(media: HTMLElement, type: string): HTMLElement {
  const stage = make('div', { class: 'stage', tabindex: 0, role: 'region', 'aria-label': 'Preview' }, media);
  media.addEventListener('error', () => {
    stage.replaceWith(createNotice(`This browser cannot show ${type}.`, 'The file is complete: download it to open it elsewhere.'));
  });
  return stage;
}

/**
 * Without a viewer the iframe would stay empty and download the file. It has no sandbox: Chromium does not show PDF in a sandboxed
 * iframe. Its type is that of `shownType`, so that only the viewer reads it.
 */
function showPdf(url: string, name: string): HTMLElement {
  if (navigator.pdfViewerEnabled) return make('iframe', { src: url, title: 'The rendered PDF' });
  const link = make('a', { href: url, download: name }, 'Save the PDF');
  return createNotice('This browser has no PDF viewer.', 'The file is complete: ', link, ' to open it elsewhere.');
}

function createNotice(title: string, ...text: readonly (Node | string)[]): HTMLElement {
  return make('div', { class: 'empty' }, make('strong', {}, title), make('span', {}, ...text));
}

function showSource(text: string): HTMLElement {
  const shown =
    text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${String(text.length - MAX_SHOWN)} more characters are in the file` : text;
  return make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Source' }, shown);
}

/** JSON Lines are shown as a list. */
function showParsed(text: string): HTMLElement {
  try {
    return showJson(JSON.parse(text) as unknown);
  } catch {
    try {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return showJson(lines.map((line) => JSON.parse(line) as unknown));
    } catch {
      return showSource(text);
    }
  }
}

/** The document in an iframe with an opaque origin that runs none of its scripts, and its source. */
function showHtml(html: string, target: string): HTMLElement {
  const rendered = () => {
    const frame = make('iframe', { sandbox: 'allow-scripts', title: 'The rendered HTML', referrerpolicy: 'no-referrer' });
    addEventListener('message', function deliver({ source, data }: MessageEvent) {
      if (!frame.isConnected) removeEventListener('message', deliver);
      if (source !== frame.contentWindow || data !== 'ready') return;
      removeEventListener('message', deliver);
      // The iframe has an opaque origin, so the target is `*`; the message contains only the document.
      frame.contentWindow?.postMessage(withBase(html, target), '*');
    });
    frame.src = new URL('playground/frame', ROOT).href;
    return frame;
  };
  return createTabs('HTML', [
    ['Rendered', rendered],
    ['Source', () => showSource(html)],
  ]).element;
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

/** A JSON value as a tree whose branches are made when they are opened. */
function showJson(value: unknown): HTMLElement {
  return make('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'JSON' }, showMember(undefined, value, { open: true }));
}

function showMember(name: string | undefined, value: unknown, { open }: { readonly open: boolean } = { open: false }): HTMLElement {
  const key = name === undefined ? [] : [make('span', { class: 'key' }, name), ': '];
  if (!Array.isArray(value) && !isObject(value)) return make('div', {}, ...key, JSON.stringify(value));
  const members: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [String(index), item] as const)
    : Object.entries(value);
  const size = Array.isArray(value) ? `[${String(members.length)}]` : `{${String(members.length)}}`;
  const inside = make('div');
  const details = make('details', {}, make('summary', {}, ...key, make('span', { class: 'kind' }, size)), inside);
  const fill = () => {
    if (inside.childElementCount > 0) return;
    showPage(inside, members, 0);
  };
  details.addEventListener('toggle', fill);
  if (open) {
    details.open = true;
    fill();
  }
  return details;
}

function showPage(inside: HTMLElement, members: readonly (readonly [string, unknown])[], from: number): void {
  inside.append(...members.slice(from, from + PAGE).map(([name, value]) => showMember(name, value)));
  const left = members.length - from - PAGE;
  if (left <= 0) return;
  const more = make('button', { type: 'button', class: 'plain small' }, `${String(left)} more`);
  more.addEventListener('click', () => {
    more.remove();
    showPage(inside, members, from + PAGE);
  });
  inside.append(more);
}
