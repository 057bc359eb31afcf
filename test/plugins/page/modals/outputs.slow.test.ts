import { silentLogger, type Logger } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import axtree from '@platen/plugin-axtree';
import dom from '@platen/plugin-dom';
import html from '@platen/plugin-html';
import markdown from '@platen/plugin-markdown';
import modals from '@platen/plugin-modals';
import pdf from '@platen/plugin-pdf';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import print from '@platen/plugin-print';
import tree from '@platen/plugin-accessibility';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { decodePicture } from '../../capture/pictures.js';
import { inspectPdf } from '../../output/pdf/inspect-pdf.js';
import { CONSENT } from './pages/consent.js';
import { article } from './pages/page.js';

const debug = vi.fn<Logger['debug']>();
let host: TestKernel;
let site: Site;
let served = '';
/** What the page is served with beside its text. */
let headers: Record<string, string> = {};
beforeAll(async () => {
  const plugins = [pixels, png, dom, html, markdown, print, pdf, tree, axtree, modals];
  host = createTestKernel({ plugins });
  site = await openSite({
    '/': ({ headers: { cookie } }) => ({
      headers,
      body: (cookie ?? '').includes('choice=no') ? article('en', '<p class="after">Welcome back.</p>') : served,
    }),
    '/banner.js': {
      headers: { 'content-type': 'text/javascript' },
      body: "document.getElementById('onetrust-reject-all-handler').onclick = () => { document.getElementById('onetrust-consent-sdk').outerHTML = '<p>Refused.</p>'; };",
    },
    '/offer': '<!doctype html><title>Offer</title><p>Buy a subscription.',
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  headers = {};
  debug.mockClear();
});

async function render(body: string, params: Readonly<Record<string, unknown>>): Promise<Buffer> {
  served = body;
  const result = await host.render({ url: site.url('/'), remove_modals: true, ...params }, { log: { ...silentLogger, debug } });
  return result.bytes();
}

/** What the log says of the removals. */
const reported = (): object | undefined => debug.mock.calls.find(([, message]) => message === 'modals were removed')?.[0];

const STYLE =
  '<style>body{background:#fff}.notice{position:fixed;bottom:0;left:0;right:0;height:120px;background:red;z-index:9}.locked{overflow:hidden;height:100vh}</style>';
const NOTICE =
  '<div class="notice">We use cookies to improve this shop. <button>Got it</button></div><script>document.body.classList.add("locked")</script>';
const PAGE = article('en', NOTICE, STYLE);

describe('remove_modals works with every output', () => {
  it('png shows what was under the modal', async () => {
    const picture = await decodePicture(await render(PAGE, { output_type: 'png' }));
    expect(picture.at(20, picture.height - 20)).toEqual([255, 255, 255, 255]);
    const before = await decodePicture(await render(PAGE, { output_type: 'png', remove_modals: false }));
    expect(before.at(20, before.height - 20)).toEqual([255, 0, 0, 255]);
  });

  it('a full page is as high as it is without the lock', async () => {
    const low = { output_type: 'png', full_page: true };
    const picture = await decodePicture(await render(PAGE, low));
    const free = await decodePicture(await render(article('en', '', STYLE), low));
    expect(picture.height).toBe(free.height);
    expect(picture.height).toBeGreaterThan(720);
  });

  it('html holds the page as it is without the modal, and nothing of ours', async () => {
    const text = (await render(PAGE, { output_type: 'html' })).toString();
    const free = (await render(article('en', '', STYLE), { output_type: 'html', remove_modals: false })).toString();
    expect(text).toBe(free);
  });

  it('html after a known consent manager holds nothing of ours either', async () => {
    for (const { html: page, frame } of CONSENT) {
      if (frame !== undefined) continue;
      const text = (await render(page, { output_type: 'html' })).toString();
      expect(text).not.toMatch(/autoconsent|platen|display: ?none !important/i);
    }
  });

  it.each([
    ['markdown', (bytes: Buffer) => bytes.toString()],
    ['axtree', (bytes: Buffer) => bytes.toString()],
    ['pdf', async (bytes: Buffer) => (await inspectPdf(bytes)).text],
  ] as const)('%s does not speak of it', async (output_type, read) => {
    const text = await read(await render(PAGE, { output_type }));
    expect(text).toContain('The river rose');
    expect(text).not.toContain('We use cookies');
  });
});

describe('remove_modals holds its ground', () => {
  it('where the content policy forbids to evaluate anything', async () => {
    headers = { 'content-security-policy': "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'" };
    const banner =
      '<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" class="notice">We use cookies. <button id="onetrust-reject-all-handler">Reject All</button></div></div><script src="/banner.js"></script>';
    const text = (await render(article('en', banner, STYLE), { output_type: 'html' })).toString();
    expect(text).not.toContain('We use cookies');
    expect(text).toContain('Refused.');
    expect(reported()).toMatchObject({ managers: [{ name: 'Onetrust', refused: true }] });
  });

  it('where a consent manager is answered through its own program', async () => {
    const klaro = `<div class="klaro"><div class="cookie-notice notice">Hi! Could we please enable some services? <button>That's ok</button></div></div>
      <script>window.klaro = { show() {}, getManager: () => ({ changeAll(to) { this.to = to; }, saveAndApplyConsents() { document.querySelector('.klaro').outerHTML = '<p>All services off.</p>'; } }) };</script>`;
    const text = (await render(article('en', klaro, STYLE), { output_type: 'html' })).toString();
    expect(text).toContain('All services off.');
    expect(reported()).toMatchObject({ managers: [{ name: 'Klaro', refused: true }] });
  });

  it('where refusing loads the page anew: that page is captured', async () => {
    const reload = `<div class="notice">We use cookies to improve this shop. <button onclick="document.cookie='choice=no';location.reload()">Decline</button> <button>Accept</button></div>`;
    const text = (await render(article('en', reload, STYLE), { output_type: 'html' })).toString();
    expect(text).toContain('Welcome back.');
    expect(text).toContain('The river rose');
  });

  it('where refusing leads elsewhere: it comes back, and does not ask again', async () => {
    const leave = `<div class="notice">We use cookies to improve this shop. <button onclick="location.href='/offer'">Decline</button> <button>Accept</button></div>`;
    const text = (await render(article('en', leave, STYLE), { output_type: 'html' })).toString();
    expect(site.requests.map(({ url }) => url).filter((url) => url === '/offer')).toHaveLength(1);
    expect(text).not.toContain('Buy a subscription');
    expect(text).not.toContain('We use cookies');
    expect(text).toContain('The river rose');
  });

  it('against a link that would lead away and a form that would be sent', async () => {
    const seen = site.requests.length;
    const tempting = `<div class="notice">We use cookies to improve this shop. <form action="/offer"><button>Decline</button></form><a href="/offer">Reject all</a> <button>Accept</button></div>`;
    const text = (await render(article('en', tempting, STYLE), { output_type: 'html' })).toString();
    expect(text).toContain('The river rose');
    expect(text).not.toContain('We use cookies');
    expect(site.requests.slice(seen).map(({ url }) => url)).not.toContain('/offer');
  });

  it('on a page that never stops changing', async () => {
    const restless = `${NOTICE}<p id="t"></p><script>setInterval(() => { document.getElementById('t').textContent = Date.now(); document.body.classList.toggle('x'); }, 20)</script>`;
    const text = (await render(article('en', restless, STYLE), { output_type: 'markdown' })).toString();
    expect(text).not.toContain('We use cookies');
  });

  it('against what puts itself back', async () => {
    const stubborn = `<script>const put = () => { if (!document.querySelector('.notice')) document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(NOTICE.replace(/<script>.*/, ''))}); }; put(); new MutationObserver(put).observe(document.body, { childList: true });</script>`;
    const picture = await decodePicture(await render(article('en', stubborn, STYLE), { output_type: 'png' }));
    expect(picture.at(20, picture.height - 20)).toEqual([255, 255, 255, 255]);
  });

  it('says in the log what it removed, and how', async () => {
    await render(PAGE, { output_type: 'png' });
    expect(reported()).toMatchObject({ removals: [{ kind: 'consent', by: 'hidden', element: 'div.notice' }] });
  });
});
