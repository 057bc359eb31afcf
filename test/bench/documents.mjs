// Documents, text and the accessibility tree, in milliseconds, beside what one would write by hand with puppeteer.
// `node test/bench/documents.mjs [rounds] [pages] [outputs]`. Both get a new context and page for each render, by turns, so that what else the machine does
// meets both. `ratio` is of the whole render; the last columns are of what is done to the loaded page alone, as far as each says it.

import { loadavg } from 'node:os';
import { findBrowsers } from '@platen/kernel';
import puppeteer from 'puppeteer';
import TurndownService from 'turndown';
import { median } from './measure.mjs';
import { openPlaten, openSite } from './subjects.mjs';

const rounds = Number(process.argv[2] ?? 7);
const pages = (process.argv[3] ?? 'tiny,medium,heavy,long').split(',');

/** What people write. */
const BY_HAND = {
  pdf: (page) => page.pdf({ printBackground: true }),
  html: (page) => page.content(),
  mhtml: async (page) => (await (await page.createCDPSession()).send('Page.captureSnapshot', { format: 'mhtml' })).data,
  markdown: async (page) => new TurndownService().turndown(await page.content()),
  txt: (page) => page.evaluate('document.body.innerText'),
  axtree_json: async (page) => JSON.stringify(await page.accessibility.snapshot()),
};

const outputs = process.argv[4]?.split(',') ?? Object.keys(BY_HAND);

const site = await openSite();
const platen = await openPlaten();
const { shell } = await findBrowsers();
const browser = await puppeteer.launch({ executablePath: shell.path, headless: 'shell', args: ['--no-sandbox'] });
try {
  console.log(`median of ${rounds}; load average ${loadavg()[0].toFixed(1)}`);
  for (const page of pages) {
    console.log(`\n${page}`);
    const rows = [];
    for (const type of outputs) rows.push(await compareType(type, site.url(page)));
    console.table(rows);
  }
} finally {
  await browser.close();
  await platen.close();
  site.close();
}

async function compareType(type, url) {
  const runs = { ours: [], theirs: [] };
  // The first of each loads code, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours'];
    for (const who of order) {
      const run = who === 'ours' ? await renderByPlaten(type, url) : await renderByHand(type, url);
      if (round > 0) runs[who].push(run);
    }
  }
  const middle = (who, part) => median(runs[who].map((run) => run[part]));
  return {
    output: type,
    'platen ms': middle('ours', 'whole').toFixed(0),
    'by hand ms': middle('theirs', 'whole').toFixed(0),
    ratio: (middle('ours', 'whole') / middle('theirs', 'whole')).toFixed(2),
    'page alone, platen': middle('ours', 'work').toFixed(0),
    'page alone, by hand': middle('theirs', 'work').toFixed(0),
    'work ratio': (middle('ours', 'work') / middle('theirs', 'work')).toFixed(2),
    'platen KB': Math.round(middle('ours', 'bytes') / 1e3),
    'by hand KB': Math.round(middle('theirs', 'bytes') / 1e3),
  };
}

/** A PDF is printed while it is sent: its part is what is left of the whole. */
async function renderByPlaten(type, url) {
  const started = performance.now();
  const { body, timing } = await platen.render(url, { output_type: type });
  const whole = performance.now() - started;
  const { queue = 0, open = 0, navigate = 0, wait = 0, capture = 0, encode = 0 } = timing;
  return { whole, work: type === 'pdf' ? whole - queue - open - navigate - wait : capture + encode, bytes: body.length };
}

async function renderByHand(type, url) {
  const started = performance.now();
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport({ width: 1280, height: 720 });
    await page.goto(url);
    const loaded = performance.now();
    const body = await BY_HAND[type](page);
    const ended = performance.now();
    return { whole: ended - started, work: ended - loaded, bytes: Buffer.byteLength(body) };
  } finally {
    await context.close();
  }
}
