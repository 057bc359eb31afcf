// The same browser driven as most people record a HAR: chrome-har fed with puppeteer's protocol events, and Playwright's recordHar.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '@platen/kernel';
import { harFromMessages } from 'chrome-har';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer';

const VIEWPORT = { width: 1280, height: 720 };
const ARGS = ['--no-sandbox'];
/** All that chrome-har looks at. */
const EVENTS = [
  ...['frameStartedLoading', 'frameAttached', 'frameScheduledNavigation', 'domContentEventFired', 'loadEventFired'].map(
    (event) => `Page.${event}`,
  ),
  ...[
    ...['requestWillBeSent', 'requestWillBeSentExtraInfo', 'requestServedFromCache', 'dataReceived', 'responseReceived'],
    ...['responseReceivedExtraInfo', 'resourceChangedPriority', 'loadingFinished', 'loadingFailed'],
    ...['webSocketCreated', 'webSocketFrameSent', 'webSocketFrameReceived', 'webSocketClosed'],
  ].map((event) => `Network.${event}`),
];

/** Each way of recording: renders a PNG of the page, with a HAR or without, and answers how many entries the HAR has. */
export const RIVALS = {
  'chrome-har': openChromeHar,
  'playwright omit': () => openPlaywright('omit'),
  'playwright embed': () => openPlaywright('embed'),
};

async function openChromeHar() {
  const { shell } = await findBrowsers();
  const browser = await puppeteer.launch({ executablePath: shell.path, headless: 'shell', args: ARGS });
  return {
    async render(url, recorded) {
      const context = await browser.createBrowserContext();
      try {
        const page = await context.newPage();
        await page.setViewport(VIEWPORT);
        const messages = [];
        if (recorded) await listen(page, messages);
        await page.goto(url);
        await page.screenshot({ type: 'png', optimizeForSpeed: true });
        return recorded ? JSON.parse(JSON.stringify(harFromMessages(messages))).log.entries.length : 0;
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}

async function listen(page, messages) {
  const session = await page.createCDPSession();
  for (const method of EVENTS) session.on(method, (params) => messages.push({ method, params }));
  await Promise.all([session.send('Page.enable'), session.send('Network.enable')]);
}

async function openPlaywright(content) {
  const { shell } = await findBrowsers();
  const browser = await chromium.launch({ executablePath: shell.path, args: ARGS });
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const path = join(folder, 'page.har');
  return {
    async render(url, recorded) {
      const context = await browser.newContext({ viewport: VIEWPORT, ...(recorded ? { recordHar: { path, content } } : {}) });
      const page = await context.newPage();
      await page.goto(url);
      await page.screenshot({ type: 'png' });
      // The HAR is written when the context closes.
      await context.close();
      return recorded ? JSON.parse(await readFile(path, 'utf8')).log.entries.length : 0;
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}
