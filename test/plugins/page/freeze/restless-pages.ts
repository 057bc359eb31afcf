import { execFileSync } from 'node:child_process';
import { openSite, type Site } from '../../../helpers/site.js';

const page = (body: string) => `<!doctype html><meta charset=utf-8><title>Restless</title><body style="font: 20px sans-serif">${body}`;
const SPIN = '@keyframes spin { from { transform: translateX(0) } to { transform: translateX(400px); background: lime } }';
const BOX = '.box { width: 80px; height: 80px; background: tomato }';
/** Draws as many strokes as it is called. */
const DRAW = `const context = canvas.getContext('2d'); let drawn = 0;
  const draw = () => { drawn += 1; context.fillStyle = \`hsl(\${drawn * 7} 90% 50%)\`; context.fillRect((drawn * 13) % 300, (drawn * 29) % 150, 20, 20); };`;

/** Pages that look different each time, by path. */
export const RESTLESS = {
  '/clock': page(`<p id=a></p><p id=b></p><script>
    setInterval(() => { a.textContent = new Date().toISOString() + ' ' + Date(); b.textContent = Math.round(performance.now() * 1e3) }, 7);
  </script><p id=c></p><script>c.textContent = new Intl.DateTimeFormat('en', { timeStyle: 'full' }).format() + performance.timeOrigin</script>`),
  '/random': page(`<div id=a></div><script>
    for (let i = 0; i < 40; i++) a.insertAdjacentHTML('beforeend', '<i style="position: absolute; width: 9px; height: 9px; background: #05f; left: ' + Math.random() * 500 + 'px; top: ' + Math.random() * 400 + 'px">');
  </script>`),
  '/css-animation': page(`<style>${SPIN} ${BOX} .a { animation: spin 3s linear infinite } .b { animation: spin 2s ease-in both }</style>
    <div class="box a"></div><div class="box b"></div><p id=p>waiting</p>
    <script>document.querySelector('.b').onanimationend = () => { p.textContent = 'ended' }</script>`),
  '/transition':
    page(`<style>${BOX} .box { transition: transform 2s 0.3s, background 3s } .on { transform: rotate(30deg) translateX(200px); background: navy }</style>
    <div class=box id=a></div><p id=p></p><script>
      requestAnimationFrame(() => requestAnimationFrame(() => a.classList.add('on')));
      a.ontransitionend = ({ propertyName }) => { p.textContent += propertyName + ' '; setTimeout(() => { p.append('later ') }, 200) };
    </script>`),
  '/web-animations': page(`<style>${BOX}</style><div class=box id=a></div><div class=box id=b></div><p id=p></p><script>
      a.animate([{ translate: '0' }, { translate: '300px 50px' }], { duration: 2500, fill: 'forwards' }).finished.then(() => { p.textContent = 'finished' });
      b.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: 700, iterations: Infinity, direction: 'alternate' });
    </script>`),
  '/closed-shadow':
    page(`<x-box></x-box><p id=p></p><div><template shadowrootmode=closed><style>${SPIN} ${BOX} .box { animation: spin 1.7s infinite }</style><div class=box></div></template></div>
    <script>customElements.define('x-box', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: 'closed' });
      const sheet = new CSSStyleSheet(); sheet.replaceSync('${SPIN} ${BOX}'); root.adoptedStyleSheets = [sheet];
      root.innerHTML = '<div class=box style="animation: spin 4s 2"></div>';
      p.textContent = root.adoptedStyleSheets.length;
    } })</script>`),
  '/gif': page('<img src=/moving.gif width=300><div style="width: 300px; height: 200px; background: url(/moving.gif?css)"></div>'),
  '/video': page(
    '<video src=/moving.webm autoplay muted loop width=300></video><video id=v src=/moving.webm?b muted width=300></video><script>v.play()</script>',
  ),
  '/canvas-frames': page(`<canvas id=canvas></canvas><p id=p></p><script>${DRAW}
    (function frame(time) { draw(); p.textContent = drawn + ' ' + time; requestAnimationFrame(frame) })(0)</script>`),
  '/canvas-interval': page(`<canvas id=canvas></canvas><p id=p></p><script>${DRAW}
    setInterval(() => { draw(); p.textContent = drawn }, 11); const w = ms => new Promise(done => setTimeout(done, ms));
    fetch('/slow').then(async () => { for (;;) { await w(23); draw() } })</script>`),
  '/worker': page(`<p id=p></p><p id=q></p><script>new Worker('/worker.js').onmessage = ({ data }) => { p.textContent = data };
    const blob = new Blob(['postMessage([Date.now(), Math.random()].join(" "))']);
    new Worker(URL.createObjectURL(blob)).onmessage = ({ data }) => { q.textContent = data }</script>`),
  '/frames': page(
    `<iframe src=/css-animation></iframe><iframe src=/canvas-frames></iframe><iframe src="//localhost:PORT/css-animation"></iframe>`,
  ),
} as const;

const WORKER = `let n = 0; setInterval(() => { n += 1; postMessage([n, Date.now(), new Date().toISOString(), Math.random()].join(' ')) }, 17)`;

function movingPicture(format: string, codec: string): Buffer {
  const input = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=160x120:rate=20'];
  return execFileSync('ffmpeg', ['-v', 'error', ...input, '-c:v', codec, '-f', format, 'pipe:1']);
}

/** Serves the pages; answers take a while, each time another. */
export async function openRestlessSite(): Promise<Site> {
  const gif = { headers: { 'content-type': 'image/gif' }, body: movingPicture('gif', 'gif') };
  const webm = movingPicture('webm', 'libvpx');
  const site: Site = await openSite({
    ...RESTLESS,
    '/frames': () => RESTLESS['/frames'].replaceAll('PORT', String(site.port)),
    '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: WORKER },
    '/moving.gif': gif,
    '/moving.webm': ({ headers: { range } }) => {
      const from = Number(/\d+/.exec(range ?? '')?.[0] ?? 0);
      const place = `bytes ${String(from)}-${String(webm.length - 1)}/${String(webm.length)}`;
      return {
        status: 206,
        headers: { 'content-type': 'video/webm', 'accept-ranges': 'bytes', 'content-range': place },
        body: webm.subarray(from),
      };
    },
    '/slow': (_request, response) => {
      setTimeout(() => response.end('slow'), Math.random() * 120);
      return undefined;
    },
  });
  return site;
}
