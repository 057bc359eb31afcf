import { showArchive } from './archive-view.js';
import { showAxtree, type AxtreeParts } from './axtree-view.js';
import { make } from './dom.js';
import { showHar } from './har-view.js';
import { MAX_SHOWN, showHtml, showSource } from './html-view.js';
import { showJson } from './json-tree.js';
import { showProse } from './markdown-view.js';
import { showMedia } from './media-view.js';
import { createTabs } from './tabs.js';

/** Maximum characters of JSON shown as a tree: larger ones would block the page. */
const MAX_TREE = 30_000_000;

export interface Previewed extends AxtreeParts {
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

export function essenceOf(contentType: string): string {
  return contentType.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Preview of an output or an asset, by content type. */
export async function showPreview(previewed: Previewed): Promise<HTMLElement> {
  const { body, contentType, url, name, target } = previewed;
  const type = essenceOf(contentType);
  if (/^(?:image|video)\//.test(type)) return showMedia(createMedia(type, url), () => createUnsupported(type));
  if (type === PDF) return showPdf(url, name);
  if (type === 'text/html') return showHtml(await body.text(), target);
  if (type === 'text/markdown') return await showMarkdown(await body.slice(0, MAX_SHOWN).text());
  if (/^application\/wa(?:rc|cz)/.test(type)) return (await showArchive(body, type).catch(() => undefined)) ?? createUnsupported(type);
  if (isJson(type) && body.size < MAX_TREE) return showParsed(await body.text(), previewed);
  if (type.startsWith('text/') || type === 'multipart/related' || isJson(type))
    return showSource(await body.slice(0, MAX_SHOWN * 2).text());
  return createNotice('No preview of this format is available.', 'Download the file to open it elsewhere.');
}

function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json') || type === 'application/x-ndjson';
}

function createMedia(type: string, url: string): HTMLImageElement | HTMLVideoElement {
  if (type.startsWith('image/')) return make('img', { src: url, alt: 'The rendered page' });
  const play = { controls: true, autoplay: true, muted: true, loop: true, playsinline: true };
  return make('video', { src: url, ...play, 'aria-label': 'The rendered page' });
}

function createUnsupported(type: string): HTMLElement {
  return createNotice(`This browser cannot show ${type}.`, 'The file is complete: download it to open it elsewhere.');
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

async function showMarkdown(text: string): Promise<HTMLElement> {
  const prose = await showProse(text);
  return createTabs('Markdown', [
    ['Rendered', () => prose],
    ['Source', () => showSource(text)],
  ]).element;
}

/** A waterfall, an accessibility tree or any JSON. JSON Lines are shown as a list. */
function showParsed(text: string, parts: AxtreeParts): HTMLElement {
  try {
    const value: unknown = JSON.parse(text);
    return showHar(value) ?? showAxtree(value, parts) ?? showJson(value);
  } catch {
    try {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      return showJson(
        lines.map((line) => JSON.parse(line) as unknown),
        1,
      );
    } catch {
      return showSource(text);
    }
  }
}
