import { findBrowsers } from '@platen/kernel';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { openGuarded, signedPage } from '../plugins/auth/auth-server.js';
import type { TestServer } from '../server/test-server.js';

const PAGE = '/?url=http://a.test/&output_type=html';

let browser: Browser;
let site: Site;
let server: TestServer;
let signed: TestServer;
beforeAll(async () => {
  const { shell, full } = await findBrowsers();
  const executablePath = (shell ?? full)?.path;
  if (executablePath === undefined) throw new Error('there is no browser');
  // What a name server of the attacker does once its page is loaded.
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--host-resolver-rules=MAP rebound.test 127.0.0.1'] });
  server = await openGuarded([]);
  signed = await openGuarded(['signed']);
  site = await openSite({
    '/': '<h1>another site</h1>',
  });
});
afterAll(async () => {
  await browser.close();
  for (const each of [server, signed, site]) await each[Symbol.asyncDispose]();
});

/** Statuses of the server's responses since the last time it was asked. */
function createReader(of: TestServer): () => readonly (number | string)[] {
  let read = of.records.length;
  return () => {
    const fresh = of.records.slice(read).map(({ status, code }) => code ?? status);
    read = of.records.length;
    return fresh;
  };
}

async function openPage(url: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const response = await page.goto(url);
  return { page, status: response?.status(), [Symbol.asyncDispose]: () => context.close() };
}

describe('S12: a web page in the browser of a user of this server', () => {
  // `localhost` and 127.0.0.1 are two sites.
  const foreign = () => site.url('/').replace('127.0.0.1', 'localhost');

  it.each([
    ['an image', (url: string) => (new Image().src = url)],
    ['a request that it cannot read', (url: string) => void fetch(url, { mode: 'no-cors' })],
    ['a request', (url: string) => void fetch(url).catch(() => undefined)],
    ['a frame', (url: string) => void (document.body.appendChild(document.createElement('iframe')).src = url)],
    ['a script', (url: string) => void (document.body.appendChild(document.createElement('script')).src = url)],
    [
      'a form',
      (url: string) => {
        const form = document.body.appendChild(document.createElement('form'));
        form.action = url.replace(/\?.*/, '');
        const input = form.appendChild(document.createElement('input'));
        [input.name, input.value] = ['url', 'http://a.test/'];
        form.submit();
      },
    ],
  ])('renders nothing by %s', async (_name, send) => {
    const read = createReader(server);
    await using opened = await openPage(foreign());
    const refused = server.finished(({ endpoint }) => endpoint === 'GET /');
    await opened.page.evaluate(send, `${server.url}${PAGE}`);
    await refused;
    expect(read()).toContain('origin_refused');
    expect(server.records.some(({ plan }) => plan !== undefined)).toBe(false);
  });

  it('renders nothing, and reads nothing, under a name that is rebound to this server', async () => {
    await using opened = await openPage(`http://rebound.test:${String(server.port)}/status`);
    expect(opened.status).toBe(403);
  });

  it('embeds what was signed for it', async () => {
    await using opened = await openPage(foreign());
    const answered = signed.finished(({ endpoint }) => endpoint === 'GET /');
    await opened.page.evaluate((url: string) => {
      new Image().src = url;
    }, `${signed.url}/?${signedPage()}`);
    expect((await answered).status).toBe(200);
  });

  it('the address bar renders', async () => {
    await using opened = await openPage(`${server.url}${PAGE}`);
    expect(opened.status).toBe(200);
  });
});
