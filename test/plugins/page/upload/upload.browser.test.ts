import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import robots from '../../../../plugins/page/robots/src/index.js';
import upload from '../../../../plugins/page/upload/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

const dataUrl = (type: string, text: string | Buffer) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
const later = (source: string) => `<!doctype html><script>window.report = (async () => { ${source} })()</script>`;

let prober: Prober;
let site: Site;
beforeAll(async () => {
  prober = openProber({ plugins: [robots, upload] });
  site = await openSite({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private' },
    '/private/': '<script>window.report = "the site"</script><p class="site">',
    '/reader': `<script>
      fetch('https://upload.invalid/a.txt').then((found) => found.text()).catch(() => 'refused').then((text) => parent.postMessage(text, '*'));
    </script>`,
    '/private/api': ({ headers }) => headers.cookie ?? 'no cookie',
  });
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('html', () => {
  it('is the document at its URL, which robots.txt may disallow: base URL, origin, cookies and storage', async () => {
    const html = later(`
      localStorage.a = 1; document.cookie = 'b=2';
      const image = new Image(); image.src = 'x.png'; const link = document.createElement('a'); link.href = '../c';
      return [location.href, origin, localStorage.a, await (await fetch('api')).text(), image.src, link.href, document.referrer, document.title]`);
    const { report } = await prober.probe({ html: `<title>Ünit</title>${html}`, url: site.url('/private/?a=1#b'), cookie: ['given=1'] });
    const base = site.url('/private/');
    const own = new URL(base).origin;
    expect(report).toEqual([
      `${base}?a=1#b`,
      own,
      '1',
      expect.stringMatching(/(?=.*given=1)(?=.*b=2)/) as unknown,
      `${base}x.png`,
      `${own}/c`,
      '',
      'Ünit',
    ]);
    expect(site.requests.filter(({ url }) => url.startsWith('/private/?'))).toEqual([]);
  });

  it('replaces the first answer only: a later one comes from the site, and by the rules of the site', async () => {
    const url = site.url('/private/');
    const { report } = await prober.probe({ html: later(`return (await fetch(location.href)).text()`), url });
    expect(report).toContain('the site');
    const reloading = { html: '<script>onload = () => location.reload()</script>', url, wait_for: 'css:.site' };
    await expect(prober.probe(reloading)).rejects.toThrow('disallows it');
    expect((await prober.probe({ ...reloading, skip_robots_txt: true })).report).toBe('the site');
  });

  it('is a secure context without a URL, and its files are beside it', async () => {
    const { report, entries } = await prober.probe({
      html: later(`return [location.href, isSecureContext, await (await fetch('a.txt')).text()]`),
      upload: { 'a.txt': dataUrl('text/plain', 'ä') },
    });
    expect(report).toEqual(['https://upload.invalid/', true, 'ä']);
    expect(entries).toEqual([]);
  });
});

describe('upload', () => {
  it('serves what a page loads, and nothing leaves the server', async () => {
    const root = new URL('../../../../', import.meta.url);
    const { report, entries } = await prober.probe({
      upload: {
        'index.html': dataUrl(
          'text/html',
          `<meta charset="utf-8"><link rel="stylesheet" href="css/a.css"><link rel="preconnect" href="https://upload.invalid"><h1>Ä</h1><img src="a.png"><iframe src="frame.html"></iframe>
          <script type="module">
            import { name } from './a.js';
            const text = async (url, init) => (await fetch(url, init)).text();
            const said = (open) => new Promise((resolve) => open(({ data }) => resolve(data)));
            window.report = (async () => ({
              name,
              style: getComputedStyle(document.querySelector('h1')).color,
              font: (await document.fonts.load('20px A')).length,
              image: await document.querySelector('img').decode().then(() => document.querySelector('img').naturalWidth),
              frame: await said((hear) => { onmessage = hear; document.querySelector('iframe').contentWindow.postMessage('', '*'); }),
              fetched: await text('data.json'),
              escaped: await text('a%23b%20%C3%BC.txt?c=1'),
              worker: await said((hear) => { new Worker('worker.js').onmessage = hear; }),
              missing: (await fetch('none')).status,
              socket: await new Promise((resolve) => { new WebSocket('wss://upload.invalid/').onerror = () => resolve('refused'); }),
              port: await fetch('https://upload.invalid:8443/a.js').then(({ status }) => status, () => 'refused'),
            }))();
          </script>`,
        ),
        'css/a.css': dataUrl('application/octet-stream', '@font-face{font-family:A;src:url(a.woff2)}h1{font-family:A;color:rgb(1,2,3)}'),
        'css/a.woff2': dataUrl('', await readFile(new URL('node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2', root))),
        'a.png': dataUrl('', await readFile(new URL('test/fixtures/readme/platen.png', root))),
        'a.js': dataUrl('', 'export const name = "mödule"'),
        'worker.js': 'data:,postMessage("worker")',
        'frame.html': dataUrl('text/html', '<script>onmessage = ({ source }) => source.postMessage("frame", "*")</script>'),
        'data.json': 'data:application/json,{"a":%22%C3%A4%22}',
        'a#b ü.txt': dataUrl('text/plain;charset=utf-8', 'ü'),
      },
    });
    expect(report).toEqual({
      ...{ name: 'mödule', style: 'rgb(1, 2, 3)', font: 1, frame: 'frame', fetched: '{"a":"ä"}', escaped: 'ü', worker: 'worker' },
      ...{ missing: 404, socket: 'refused', port: 'refused', image: expect.any(Number) as unknown },
    });
    expect(report.image).toBeGreaterThan(1);
    // The WebSocket: not even its name is looked up.
    expect(entries.filter(({ host, outcome }) => host !== 'upload.invalid' || outcome !== 'blocked')).toEqual([]);
  });

  it.each([
    ['bytes=0-3', 206, 'bytes 0-3/10', '0123'],
    ['bytes=4-', 206, 'bytes 4-9/10', '456789'],
    ['bytes=-2', 206, 'bytes 8-9/10', '89'],
    ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
    ['bytes=10-', 416, 'bytes */10', ''],
    ['bytes=0-1,4-5', 200, null, '0123456789'],
  ])('answers the range %s', async (range, status, place, text) => {
    const { report } = await prober.probe({
      html: later(`
        const response = await fetch('a.bin', { headers: { range: '${range}' } });
        return [response.status, response.headers.get('content-range'), await response.text()]`),
      upload: { 'a.bin': 'data:,0123456789' },
    });
    expect(report).toEqual([status, place, text]);
  });

  it('lets a video seek', async () => {
    const video = await readFile(new URL('../../../fixtures/frames/block.webm', import.meta.url));
    const { report } = await prober.probe({
      html: later(`
        const video = document.createElement('video'); video.muted = true; video.src = 'a.webm';
        const heard = (name) => new Promise((resolve) => video.addEventListener(name, resolve, { once: true }));
        await heard('loadedmetadata'); video.currentTime = video.duration / 2; await heard('seeked');
        return video.currentTime === video.duration / 2`),
      upload: { 'a.webm': dataUrl('', video) },
    });
    expect(report).toBe(true);
  });

  it('files are for the page and for "html" at its own site, not for a frame of another site', async () => {
    const { report } = await prober.probe({
      html: later(`
        const said = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)));
        const frame = document.createElement('iframe'); frame.src = '${site.url('/reader', 'localhost')}'; document.documentElement.append(frame);
        return [await (await fetch('https://upload.invalid/a.txt')).text(), await said]`),
      upload: { 'a.txt': 'data:,read' },
      url: site.url('/shown'),
    });
    expect(report).toEqual(['read', 'refused']);
  });

  it('keeps the files of concurrent renders apart', async () => {
    const renders = Array.from({ length: 5 }, async (_, index) => {
      const source = `return [await (await fetch('a')).text(), (await fetch('of-${String(1 - (index % 2))}')).status]`;
      const own = { 'index.html': dataUrl('text/html', later(source)), [`of-${String(index % 2)}`]: 'data:,' };
      return prober.probe({ upload: { ...own, a: `data:,${String(index)}` } });
    });
    expect((await Promise.all(renders)).map(({ report }) => report as unknown)).toEqual(
      [0, 1, 2, 3, 4].map((index) => [String(index), 404]),
    );
  });

  it('answers a file that is too large for the browser with an error', async () => {
    const { report } = await prober.probe({
      html: later(`
        const part = await fetch('a', { headers: { range: 'bytes=70000000-' } });
        return [(await fetch('a')).status, part.status, part.headers.get('content-range')]`),
      upload: { a: `data:;base64,${'A'.repeat(90 * 2 ** 20)}` },
    });
    expect(report).toEqual([413, 206, 'bytes 70000000-70778879/70778880']);
  });
});
