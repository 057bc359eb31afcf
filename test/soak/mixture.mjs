// What is rendered, and what must come of it.
import { createServer } from 'node:http';
import { once } from 'node:events';

const page = (body, head = '') => `<!doctype html><html lang=en><meta charset=utf-8><title>page</title>${head}<h1>page</h1>${body}</html>`;
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const ROUTES = {
  '/': page('<p>text '.repeat(200) + '<img src=/picture.png>', '<link rel=stylesheet href=/style.css>'),
  '/long': page('<p style="height: 400px">part</p>'.repeat(20)),
  '/workers': page(
    '<script>navigator.serviceWorker.register("/worker.js"); new SharedWorker("/worker.js"); new Worker("/worker.js"); open("/"); open("/long")</script>',
  ),
  '/storage': page('<script>localStorage.x = "x".repeat(1e5); document.cookie = "a=1"; indexedDB.open("x"); caches.open("x")</script>'),
  '/frames': page(`<iframe src="/"></iframe><iframe src="/long"></iframe>`),
  '/loop': page('<script>for (;;);</script>'),
  '/dialogs': page('<script>alert(1); confirm(2); prompt(3)</script>'),
};

/** Parameters, by what they make of the site's URL; `expects` is the status, or the code of the error. */
const GOOD = [
  (url) => ({ url: `${url}/`, output_type: 'png' }),
  (url) => ({ url: `${url}/`, output_type: 'html' }),
  (url) => ({ url: `${url}/long`, output_type: 'png', full_page: true }),
  (url) => ({ url: `${url}/`, output_type: 'pdf' }),
  (url) => ({ url: `${url}/workers`, output_type: 'jpg', device: 'Pixel 5' }),
  (url) => ({ url: `${url}/`, output_type: 'markdown' }),
  (url) => ({ url: `${url}/storage`, output_type: 'txt', cookie: ['b=2'], header: ['X-A: 1'] }),
  (url) => ({ url: `${url}/frames`, output_type: 'mhtml' }),
  (url) => ({ url: `${url}/dialogs`, output_type: 'axtree' }),
  (url) => ({ url: `${url}/`, output_type: 'har' }),
  () => ({ url: 'data:text/html,<h1>data', output_type: 'webp' }),
  (url) => ({ url: `${url}/long`, output_type: 'png', wait_for: 'networkidle0', with_har: true }),
];

const BAD = [
  (url) => [{ url: `${url}/missing` }, 'target_status'],
  (url) => [{ url: `${url}/silent`, timeout: 0.4 }, 'render_timeout'],
  () => [{ url: 'http://127.0.0.1:9/' }, 'target_blocked'],
  (url) => [{ url: `${url}/reset` }, 'target_unreachable'],
  (url) => [{ url: `${url}/loop`, timeout: 0.7 }, 'render_timeout'],
  (url) => [{ url: `${url}/`, image_selector: '#none' }, 'selector_not_found'],
  (url) => [{ url: `${url}/redirects` }, 'target_unreachable'],
  (url) => [{ url: `${url}/`, nonsense: true }, 'invalid_parameters'],
  (url) => [{ url: `${url}/silent` }, 'left'],
  (url) => [{ url: `${url}/`, javascript: 'throw new Error("x")' }, 'script_failed'],
];

/** The nth render of a soak: every fifth fails. */
export function renderOf(index, url) {
  if (index % 5 !== 4) return [GOOD[(index - Math.floor(index / 5)) % GOOD.length](url), 200];
  return BAD[Math.floor(index / 5) % BAD.length](url);
}

export async function openMixture() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://site');
    if (pathname === '/silent') return;
    if (pathname === '/reset') return void request.socket.resetAndDestroy();
    if (pathname === '/redirects') return void response.writeHead(302, { location: `/redirects?${Math.random()}` }).end();
    if (pathname === '/picture.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
    if (pathname === '/style.css') return void response.writeHead(200, { 'content-type': 'text/css' }).end('p { color: teal }');
    if (pathname === '/worker.js')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end('setInterval(() => {}, 50)');
    const body = ROUTES[pathname];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body ?? 'not here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
