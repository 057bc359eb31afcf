import { withFlatTree } from '@platen/lib-page-functions';

/**
 * Runs in the page. Adds the drawings of other files from which it uses elements: a saved page has no origin, so a browser loads nothing
 * that it uses from elsewhere.
 */
export const inlineSprites = withFlatTree(async (tree): Promise<void> => {
  const { takeBack, setAttribute } = globalThis.platenChanges;
  const addTo = async (root: Document | ShadowRoot, url: string, prefix: string): Promise<void> => {
    const text = await (await window.fetch(url, { cache: 'force-cache', signal: AbortSignal.timeout(3_000) })).text();
    const named = text.replaceAll(/(\bid=["']|href=["']#|url\(["']?#)/g, `$1${prefix}`);
    const { documentElement: drawing } = new DOMParser().parseFromString(named, 'image/svg+xml');
    for (const element of drawing.querySelectorAll('script, style, foreignObject')) element.remove();
    for (const element of drawing.querySelectorAll('*'))
      for (const name of element.getAttributeNames()) if (name.startsWith('on')) element.removeAttribute(name);
    // Not `display: none`, which would disable gradients.
    const empty = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const name of ['width', 'height']) empty.setAttribute(name, '0');
    empty.style.position = 'absolute';
    empty.append(...drawing.children);
    (root instanceof Document ? root.documentElement : root).append(empty);
    takeBack.push(() => {
      empty.remove();
    });
  };
  const prefixes = new Map<string, string>();
  for (const root of tree.trees(document)) {
    const added = new Set<string>();
    for (const use of root.querySelectorAll('use')) {
      const [, file = '', id = ''] = /^([^#]+)#(.+)$/.exec(use.href.baseVal) ?? [];
      const url = URL.canParse(file, document.baseURI) ? new URL(file, document.baseURI).href : '';
      // A browser uses nothing from another origin.
      if (file === '' || !url.startsWith(`${origin}/`) || url === document.URL.replace(/#.*/s, '')) continue;
      const prefix = prefixes.get(url) ?? `platen-${String(prefixes.size)}-`;
      prefixes.set(url, prefix);
      if (!added.has(url)) await addTo(root, url, prefix).catch(() => undefined);
      added.add(url);
      setAttribute(use, 'href', `#${prefix}${id}`);
    }
  }
});
