import { createHash } from 'node:crypto';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import dom from '@platen/plugin-dom';
import freeze from '@platen/plugin-freeze';
import models from '@platen/plugin-models';
import navigate from '@platen/plugin-navigate';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import steps from '@platen/plugin-steps';
import txt from '@platen/plugin-txt';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openRestlessSite, RESTLESS } from './restless-pages.js';

/** `FREEZE_ROUNDS=20` is the proof that was asked for. */
const ROUNDS = Number(process.env['FREEZE_ROUNDS'] ?? 6);

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [freeze, png, screenshot, wait, dom, txt, navigate, models, steps] });
  site = await openRestlessSite();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function digest(path: string): Promise<string> {
  const { bytes } = await host.render({ url: site.url(path), output_type: 'png', freeze: true, timeout: 30 });
  const png = await bytes();
  return createHash('sha256').update(png).digest('hex');
}

describe('a restless page', () => {
  it.each(Object.keys(RESTLESS))('%s is the same picture each time, two at a time', { timeout: 20_000 * ROUNDS }, async (path) => {
    const digests: string[] = [];
    for (let round = 0; round < ROUNDS; round += 2) digests.push(...(await Promise.all([digest(path), digest(path)])));
    expect(new Set(digests)).toHaveProperty('size', 1);
  });
});

it('what steps open has its own second: timers, a worker, an iframe, a popup', async () => {
  const text = (name: string) => `<p id=p>${name}</p><script>setTimeout(() => { p.textContent = '${name} late' }, 900)</script>`;
  await using opened = await openSite({
    '/': `<button onclick="setTimeout(() => { new Worker('/worker.js').onmessage = ({ data }) => this.append(data) }, 300);
      document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame' }))">Go</button><a href=/popup target=_blank>Open</a>`,
    '/worker.js': { headers: { 'content-type': 'text/javascript' }, body: `setTimeout(() => postMessage(' worker'), 500)` },
    '/frame': text('frame'),
    '/popup': text('popup'),
  });
  const read = async (click: string) => {
    const { bytes } = await host.render({ url: opened.url('/'), output_type: 'txt', freeze: true, steps: [{ click: `text=${click}` }] });
    return (await bytes()).toString();
  };
  const [here, popup] = [await read('Go'), await read('Open')];
  expect(here).toContain('Go worker');
  expect(here).toContain('frame late');
  expect(popup).toBe('popup late\n');
});

it('a full page is the same image each time, with what appears when it is scrolled to', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, row) => `<p>Row ${String(row)}</p><img loading=lazy width=300 height=200 src="/a.svg?${String(row)}">`,
  );
  await using long = await openSite({
    '/': `<!doctype html><style>p { opacity: 0; transition: opacity 1s } p.on { opacity: 1 }</style><div id=ticks></div>${rows.join('')}<script>
      const observer = new IntersectionObserver((seen) => seen.forEach(({ isIntersecting, target }) => isIntersecting && target.classList.add('on')));
      for (const row of document.querySelectorAll('p')) observer.observe(row);
      let count = 0; setInterval(() => { ticks.textContent = count += 1 }, 30);
    </script>`,
    '/a.svg': {
      headers: { 'content-type': 'image/svg+xml' },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>',
    },
  });
  const read = async () => {
    const { bytes } = await host.render({ url: long.url('/'), output_type: 'png', full_page: true, freeze: true });
    return (await bytes()).toString('base64');
  };
  const images: string[] = [];
  for (let round = 0; round < ROUNDS; round += 2) images.push(...(await Promise.all([read(), read()])));
  expect(new Set(images)).toHaveProperty('size', 1);
});
