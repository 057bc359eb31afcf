import { openSite, type Site } from '../../../helpers/site.js';

/** Its pages are `/p0` to the last one. */
export const PAGES = 20;
const TYPES = { css: 'text/css', svg: 'image/svg+xml', js: 'text/javascript', json: 'application/json', text: 'text/plain' } as const;
const typed = (type: keyof typeof TYPES, body: string) => ({
  headers: { 'content-type': TYPES[type], 'cache-control': 'max-age=60' },
  body,
});

/** Links form a tree, with ways back; what a page shows needs all that it loads. */
function page(at: number): string {
  const next = [2 * at + 1, 2 * at + 2, 0].filter((one) => one < PAGES).map((one) => `<a href="/p${String(one)}">to ${String(one)}</a>`);
  return `<!doctype html><title>Page ${String(at)}</title><link rel="stylesheet" href="/style.css"><h1>Page ${String(at)}</h1>
    <img src="/dot.svg" alt=""><iframe src="/frame?${String(at % 3)}"></iframe><p id="out"></p>${next.join(' ')} <a href="/old">old</a> <a href="/absent">absent</a>
    <script type="module">
      const posted = fetch('/api', { method: 'POST', body: new URLSearchParams({ page: ${String(at)} }) }).then((answer) => answer.json());
      const { n } = await (await fetch('/data.json')).json();
      out.textContent = (await posted).page + ' ' + n + ' ' + getComputedStyle(document.body).color;
    </script>`;
}

/** Beside the pages: a redirect `/old` to page 3, and links to `/absent`. */
export function openCrawledSite(): Promise<Site> {
  const pages = Array.from({ length: PAGES }, (_none, at) => [`/p${String(at)}`, page(at)] as const);
  return openSite({
    ...Object.fromEntries(pages),
    '/robots.txt': typed('text', 'User-agent: *\nDisallow: /no'),
    '/style.css': typed('css', 'body { color: rgb(1, 2, 3) }'),
    '/dot.svg': typed('svg', '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>'),
    '/frame': '<p>in a frame</p>',
    '/data.json': typed('json', '{"n":7}'),
    '/old': { status: 301, headers: { location: '/p3' } },
    '/api': async (request) => {
      const body = Buffer.concat(await request.toArray()).toString();
      return typed('json', JSON.stringify({ page: new URLSearchParams(body).get('page') }));
    },
  });
}
