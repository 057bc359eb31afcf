import { credentialHeaders, readToken } from './credentials.js';
import { make } from './dom.js';
import { ROOT } from './load-api.js';

interface LinkedAsset {
  readonly href: string;
  readonly title: string;
  readonly type: string;
}

/** The assets that a `Link` header names (RFC 8288). */
function readLinks(header: string | null): readonly LinkedAsset[] {
  const links = [...(header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+="(?:[^"\\]|\\.)*")*)/g)];
  return links.map(([, href = '', rest = '']) => {
    const attributes = new Map(
      [...rest.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]),
    );
    return {
      href: new URL(href.replace(/^\//, ''), ROOT).href,
      title: attributes.get('title') ?? 'asset',
      type: attributes.get('type') ?? '',
    };
  });
}

/** The assets of a render with links, and the assets that could not be created. */
export function showAssets(headers: Headers): HTMLElement | undefined {
  const links = readLinks(headers.get('Link'));
  const missing = headers.get('X-Missing-Assets');
  if (links.length === 0 && missing === null) return undefined;
  return make(
    'div',
    { class: 'block' },
    make('h2', {}, 'Additional assets'),
    make('ul', { class: 'assets' }, ...links.map((link) => make('li', {}, showLink(link), make('span', { class: 'chip' }, link.type)))),
    missing === null ? undefined : make('p', { class: 'help' }, `Missing: ${missing}`),
  );
}

/** A link sends no token: with a token, the page fetches the asset itself. */
function showLink({ href, title }: LinkedAsset): HTMLElement {
  const link = make('a', { href, target: '_blank', rel: 'noopener' }, title);
  link.addEventListener('click', (event) => {
    if (readToken() === '') return;
    event.preventDefault();
    void download(href, title);
  });
  return link;
}

async function download(href: string, title: string): Promise<void> {
  const response = await window.fetch(href, { headers: credentialHeaders() });
  const url = URL.createObjectURL(await response.blob());
  make('a', { href: url, download: title }).click();
  // The download has started by then and does not need the URL any more.
  window.setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
