import { make } from './dom.js';
import { showJson } from './json-tree.js';
import { ROOT } from './load-api.js';
import { createTabs } from './tabs.js';

/** Characters of a text that are shown; the file has them all. */
const MAX_SHOWN = 400_000;
/** A larger JSON would take the page's breath; the file has it. */
const MAX_TREE = 30_000_000;

export interface Previewed {
  readonly body: Blob;
  readonly contentType: string;
  /** The body's, in memory. */
  readonly url: string;
  /** The file's, to keep it by. */
  readonly name: string;
  /** The URL of the page that was rendered. */
  readonly target: string;
}

const PDF = 'application/pdf';

/**
 * The media type under which a body may have a URL of this page's origin: that of its preview, never a type that a target has chosen and a
 * browser may read as a document of that origin.
 */
export function shownType(contentType: string): string {
  const type = essenceOf(contentType);
  return type === PDF || /^(?:image|video)\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream';
}

function essenceOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** What a rendered output looks like, by its content type. */
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
  return tell('There is no preview of this format.', 'Download the file to open it elsewhere.');
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json') || type === 'application/x-ndjson';
}

/** A format that this browser does not know is told of, not shown broken. */
function showMedia(media: HTMLElement, type: string): HTMLElement {
  const stage = make('div', { class: 'stage', tabindex: 0, role: 'region', 'aria-label': 'Preview' }, media);
  media.addEventListener('error', () => {
    stage.replaceWith(tell(`This browser cannot show ${type}.`, 'The file is whole: download it to open it elsewhere.'));
  });
  return stage;
}

/**
 * Without a viewer a frame would stay empty, and the file be downloaded unasked. The frame has no sandbox: Chromium shows no PDF in one. Its
 * type is `shownType`'s, so that nothing but the viewer reads it.
 */
function showPdf(url: string, name: string): HTMLElement {
  if (navigator.pdfViewerEnabled) return make('iframe', { src: url, title: 'The rendered PDF' });
  const link = make('a', { href: url, download: name }, 'Save the PDF');
  return tell('This browser has no viewer for PDF.', 'The file is whole: ', link, ' to open it elsewhere.');
}

function tell(title: string, ...text: readonly (Node | string)[]): HTMLElement {
  return make('div', { class: 'empty' }, make('strong', {}, title), make('span', {}, ...text));
}

function showSource(text: string): HTMLElement {
  const shown =
    text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${String(text.length - MAX_SHOWN)} more characters are in the file` : text;
  return make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Source' }, shown);
}

/** A file of JSON lines is a list of them. */
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

/** The document in a frame of its own origin that runs no script of it; and its source. */
function showHtml(html: string, target: string): HTMLElement {
  const rendered = () => {
    const frame = make('iframe', { sandbox: 'allow-scripts', title: 'The rendered HTML', referrerpolicy: 'no-referrer' });
    addEventListener('message', function deliver({ source, data }: MessageEvent) {
      if (!frame.isConnected) removeEventListener('message', deliver);
      if (source !== frame.contentWindow || data !== 'ready') return;
      removeEventListener('message', deliver);
      // The frame has no origin that could be named, and is told nothing but what it shows.
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

/** The document with a `<base>`: its relative URLs mean the page's site, and the frame has another URL. */
function withBase(html: string, target: string): string {
  if (!/^https?:/i.test(target)) return html;
  // A template is inert: in a document of its own the page's `<base>` would be refused by this page's policy.
  const read = make('template');
  read.innerHTML = html;
  const own = read.content.querySelector('base[href]')?.getAttribute('href') ?? '';
  const base = make('base', { href: URL.canParse(own, target) ? new URL(own, target).href : target });
  // The first one counts; in front of the doctype it would put the document into quirks mode.
  return html.replace(/^(?:\s*<!--[\s\S]*?-->)*\s*(?:<!doctype[^>]*>)?/i, (head) => head + base.outerHTML);
}
