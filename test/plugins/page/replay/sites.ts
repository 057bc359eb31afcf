import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { openSite } from '../../../helpers/site.js';

type Routes = Parameters<typeof openSite>[0];

const ROOT = new URL('../../../../', import.meta.url);
const FONT = await readFile(new URL('node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2', ROOT));
const PICTURE = await readFile(new URL('test/fixtures/readme/platen.png', ROOT));
const VIDEO = await readFile(new URL('test/fixtures/frames/block.webm', ROOT));
const article = (name: string) => readFile(new URL(`test/fixtures/articles/${name}.html`, ROOT), 'utf8');

/** A page that says `done` once its script has shown what it got. */
const scripted = (source: string) => `<!doctype html><meta charset="utf-8"><title>Scripted</title><body><script type="module">
  const text = async (...asked) => (await fetch(...asked)).text();
  const heard = (open) => new Promise((resolve) => open(({ data }) => resolve(data)));
  const shown = await (async () => { ${source} })().catch(String);
  document.body.append(Object.assign(document.createElement('p'), { textContent: JSON.stringify(shown) }));
  document.documentElement.classList.add('done');
</script>`;

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
const json = (value: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

/** Paths of pages of ten kinds, each with what it needs. `other`: another host of the same site. */
export const PAGES = {
  article: '/article',
  arabic: '/arabic?ü=ä',
  redirects: '/old',
  pictures: '/pictures',
  frames: '/frames',
  data: '/data',
  forms: '/forms',
  workers: '/workers',
  cookies: '/cookies',
  video: '/video',
} as const;

export async function routesOf(other: (path: string) => string): Promise<Routes> {
  let visits = 0;
  return {
    '/article': await article('news'),
    '/arabic': await article('arabic'),
    '/old': { status: 301, headers: { location: '/older?a=1' } },
    '/older': () => ({ status: 302, headers: { location: other('/redirected'), 'set-cookie': 'a=b' } }),
    '/redirected': '<!doctype html><title>Redirected</title><script>document.write(location.pathname)</script>',
    '/pictures': () => `<!doctype html><title>Pictures</title><link rel="stylesheet" href="${other('/style.css')}"><h1>Inter</h1>
      <img src="/a.png" alt="One"><img src="/none.png" alt="None"><svg width=20 height=20><image href="/a.png" width=20 height=20 /></svg>
      <script>onload = () => document.fonts.ready.then(() => document.documentElement.classList.add('done'))</script>`,
    '/style.css': {
      headers: { 'content-type': 'text/css', 'access-control-allow-origin': '*' },
      body: '@import url(more.css);@font-face{font-family:A;src:url(a.woff2)}h1{font-family:A}body{background:rgb(240,250,255) url(a.png) repeat-x bottom}',
    },
    '/more.css': { headers: { 'content-type': 'text/css' }, body: 'h1{color:rgb(200,0,0)}' },
    '/a.woff2': { headers: { 'content-type': 'font/woff2', 'access-control-allow-origin': '*' }, body: FONT },
    '/a.png': { headers: { 'content-type': 'image/png' }, body: PICTURE },
    '/frames': () => `<!doctype html><title>Frames</title><iframe src="/inner"></iframe><iframe src="${other('/inner')}"></iframe>
      <iframe srcdoc="<p>source document"></iframe><object data="/inner" type="text/html"></object>`,
    '/inner': '<!doctype html><p>inside <script>document.write(location.hostname)</script>',
    '/data': () =>
      scripted(`
      return [await (await fetch('/api/items?b=2&a=1')).json(), await text('${other('/api/shared')}'),
        await text('${other('/api/put')}', { method: 'PUT', headers: { 'x-a': '1' }, body: 'put' }),
        await fetch('${other('/api/private')}').then(() => 'read', () => 'refused'), (await fetch('/none')).status,
        (await fetch('/a.png', { headers: { range: 'bytes=0-9' } })).status]`),
    '/api/items': json(['ä', 'b']),
    '/api/shared': { headers: { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }, body: 'shared' },
    '/api/private': 'private',
    '/api/put': async (request) => ({
      status: request.method === 'OPTIONS' ? 204 : 200,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'x-a' },
      body: request.method === 'OPTIONS' ? '' : `had ${String(await buffer(request))}`,
    }),
    '/forms': scripted(`
      const form = new FormData(); form.append('b', 'ü'); form.append('c', new File([new Uint8Array([0, 255])], 'a.bin'));
      const post = (body, headers) => text('/echo', { method: 'POST', body, headers });
      return [await post('one'), await post('two'), await post(new URLSearchParams({ a: '1 2' })), await post('{"a":[1]}', { 'content-type': 'application/json' }),
        await post(form), await post(new Uint8Array(100000))]`),
    // The boundary of a form is random.
    '/echo': async (request) => {
      const boundary = /boundary=(.*)/.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
      const body = (await buffer(request)).toString('latin1').replaceAll(boundary === '' ? '\u0000none' : boundary, 'boundary');
      return json([request.headers['content-type']?.replace(boundary, ''), createHash('sha256').update(body).digest('hex')]);
    },
    '/workers': scripted(`
      const worker = new Worker('/worker.js', { type: 'module' });
      return [await heard((hear) => { worker.onmessage = hear; worker.postMessage('x'); }), (await import('/lib.js')).name]`),
    '/worker.js': script(
      `import { name } from './lib.js'; onmessage = async () => postMessage([name, await (await fetch('/api/items')).json()])`,
    ),
    '/lib.js': script('export const name = "lib"'),
    '/cookies': () => ({
      headers: { 'set-cookie': `visits=${String((visits += 1))}; Expires=${new Date(Date.now() + 3_600_000).toUTCString()}` },
      body: scripted(`localStorage.a = 'b'; return [/visits=\\d+/.test(document.cookie), localStorage.a, document.referrer]`),
    }),
    '/video': `<!doctype html><title>Video</title><video src="/block.webm" muted width=320></video><script>
      const video = document.querySelector('video');
      video.onloadeddata = () => { video.currentTime = video.duration / 2; video.onseeked = () => document.documentElement.classList.add('done'); };
    </script>`,
    '/block.webm': ({ headers: { range = '' } }) => {
      const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
      const type = { 'content-type': 'video/webm', 'accept-ranges': 'bytes' };
      if (first === '') return { headers: type, body: VIDEO };
      const [from, to] = [Number(first), last === '' ? VIDEO.length - 1 : Number(last)];
      return {
        status: 206,
        headers: { ...type, 'content-range': `bytes ${String(from)}-${String(to)}/${String(VIDEO.length)}` },
        body: VIDEO.subarray(from, to + 1),
      };
    },
  };
}
