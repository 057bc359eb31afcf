import { createTestKernel } from '@platen/kernel/testing';
import mhtml from '@platen/plugin-mhtml';
import wait from '@platen/plugin-wait';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openOffline } from './open-offline.js';

const host = createTestKernel({ plugins: [mhtml, wait] });
let site: Site;
beforeAll(async () => {
  const image = async (background: string) => ({
    headers: { 'content-type': 'image/png' },
    body: await sharp({ create: { width: 30, height: 20, channels: 3, background } })
      .png()
      .toBuffer(),
  });
  site = await openSite({
    '/picture.png': await image('red'),
    '/blue.png': await image('blue'),
    '/candidates': `<!doctype html><img id="set" srcset="/picture.png 1x, /blue.png 2x"><picture><source srcset="/picture.png 1x, /blue.png 2x"><img id="sourced"></picture>
      <img id="both" src="/blue.png" srcset="/picture.png 1x"><img src="/blue.png">`,
    '/written': `<!doctype html><iframe></iframe><div id="host"></div><iframe srcdoc="as srcdoc"></iframe><iframe src="about:blank"></iframe><iframe src="javascript:'by address'"></iframe><iframe></iframe>
      <script>
        const write = (frame, text) => { const at = frame.contentDocument; at.open(); at.write('<!doctype html><p>' + text); at.close(); return at; };
        const [first, , blank, , blob] = document.querySelectorAll('iframe');
        const inner = write(first, 'by write<iframe></iframe>').querySelector('iframe');
        inner.contentDocument.body.innerHTML = 'within it';
        host.attachShadow({ mode: 'open' }).innerHTML = '<iframe></iframe>';
        host.shadowRoot.firstChild.contentDocument.body.append('in the shadow');
        blank.contentDocument.body.append('by append');
        blob.src = URL.createObjectURL(new Blob(['as blob'], { type: 'text/html' }));
      </script>`,
    '/sprites': `<!doctype html><style>body{margin:0}svg{display:block;width:30px;height:20px}</style><b id="a"></b><svg><use href="sprite.svg#a"></use></svg>
      <svg><use xlink:href="/sprite.svg#b"></use></svg><div id="host"></div>
      <script>host.attachShadow({ mode: 'open' }).innerHTML = '<svg width="30" height="20" style="display:block"><use href="/sprite.svg#a"></use></svg>'</script>`,
    '/sprite.svg': {
      headers: { 'content-type': 'image/svg+xml' },
      body: `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><linearGradient id="red"><stop stop-color="red"/></linearGradient>
        <script>document.title = 'run'</script><symbol id="a"><rect width="30" height="20" fill="url(#red)"/></symbol><symbol id="b"><use xlink:href="#a"/></symbol></svg>`,
    },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function render(path: string): Promise<Buffer> {
  const result = await host.render({ url: site.url(path), output_type: 'mhtml', wait_for: 'networkidle0' });
  return result.bytes();
}

/** The parts by their URLs. */
const partsOf = (saved: Buffer) =>
  Array.from(
    saved.toString('latin1').matchAll(/\r\nContent-Location: (.*)\r\n\r\n([^-]*)/g),
    ([, url, body]) => [url, body ?? ''] as const,
  );

it('has the bytes of each image under its own URL, whichever the browser would choose later', async () => {
  const saved = await render('/candidates');
  const read = async (name: string) => Buffer.from(partsOf(saved).find(([url]) => url === site.url(name))?.[1] ?? '', 'base64');
  const colours = ['/picture.png', '/blue.png'].map(async (name) =>
    [
      ...(await sharp(await read(name))
        .raw()
        .toBuffer()),
    ].slice(0, 3),
  );
  expect(await Promise.all(colours)).toEqual([
    [255, 0, 0],
    [0, 0, 255],
  ]);
  const shown = await openOffline(saved, (page) => page.evaluate(() => Array.from(document.images, ({ currentSrc }) => currentSrc)));
  expect(shown).toEqual(['/picture.png', '/picture.png', '/picture.png', '/blue.png'].map((name) => site.url(name)));
});

it('shows the frames that a script wrote', async () => {
  const saved = await render('/written');
  const urls = partsOf(saved).map(([url]) => url);
  expect(new Set(urls).size).toBe(urls.length);
  expect(saved.toString('latin1').replaceAll('=\r\n', '')).not.toContain('data-platen');
  const texts = await openOffline(saved, (page) =>
    Promise.all(page.frames().map((frame) => frame.evaluate(() => document.body.innerText.trim()))),
  );
  expect(texts.slice(1).sort()).toEqual(['as blob', 'as srcdoc', 'by address', 'by append', 'by write', 'in the shadow', 'within it']);
});

it('has the parts of other drawings that drawings use', async () => {
  const saved = await render('/sprites');
  const shot = await openOffline(saved, async (page) => {
    expect(await page.title()).toBe('');
    return page.screenshot({ clip: { x: 0, y: 0, width: 30, height: 60 } });
  });
  const pixels = await sharp(shot).removeAlpha().raw().toBuffer();
  expect([10, 30, 50].map((y) => [...pixels.subarray((y * 30 + 15) * 3, (y * 30 + 15) * 3 + 3)])).toEqual(Array(3).fill([255, 0, 0]));
});
