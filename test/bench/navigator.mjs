// npm run bench:navigator [-- --rounds N --print PATH]
// What a step of a navigator costs apart from the model: the tokens of a snapshot beside those of Playwright's, and the time of a capture,
// of the labels and of whole steps, with those of MCP servers for agents. `--print /table` prints both snapshots of a page.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { definePlugin, findBrowsers } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { captureTree } from '@platen/lib-accessibility-tree';
import { createActor } from '@platen/lib-actor';
import { captureView, createRefTable, drawLabels, writeSnapshot } from '@platen/lib-view';
import { chromium } from 'playwright-core';
import { STYLES } from '../../plugins/lib/accessibility-tree/dist/style.js';
import { PAGES } from './fixtures/navigator-pages.mjs';
import { median } from './measure.mjs';
import { openRival, RIVAL_NAMES } from './navigator-rivals.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, print: { type: 'string' } } });
const rounds = Number(values.rounds);
const VIEWPORT = { width: 1280, height: 720 };
const LABELS = 28;
const DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
/** As providers estimate. */
const tokensOf = (text) => Math.round(text.length / 4);
const signal = new AbortController().signal;

/** Each prints a table: name, and a row for each page or measurement. */
const MEASUREMENTS = [
  ['tokens of a snapshot (goal: 0.6 of Playwright, ai)', compareTokens],
  ['capture, ms', measureCapture],
  ['a step apart from the model, ms (goal: 350)', measureSteps],
  ['a click on the shop page and the snapshot after it, alternating, ms', compareClicks],
  [`labels of ${LABELS} elements at ${VIEWPORT.width} x ${VIEWPORT.height}, ms (goal: 40)`, measureLabels],
];

const site = await openPages();
const { shell } = await findBrowsers();
const browser = await chromium.launch({ executablePath: shell.path, args: ['--no-sandbox'] });
try {
  for (const [name, measure] of values.print === undefined ? MEASUREMENTS : [['', printBoth]]) {
    const rows = await measure();
    console.log(`\n${name}; median of ${rounds}; load average ${loadavg()[0].toFixed(1)}`);
    console.table(rows);
  }
} finally {
  await browser.close();
  site.close();
}

async function compareTokens() {
  const rows = [];
  for (const path of documents()) {
    const ours = tokensOf(await onPage(path, writeOurs));
    const theirs = await readByPlaywright(path);
    const [ai, plain] = [tokensOf(theirs.ai), tokensOf(theirs.plain)];
    rows.push({ page: path, platen: ours, 'playwright, ai': ai, 'playwright, default': plain, ratio: (ours / ai).toFixed(2) });
  }
  return rows;
}

async function measureCapture() {
  const rows = [];
  for (const path of documents()) {
    const times = await onPage(path, async (page) => {
      const whole = () => captureView(page);
      const tree = () => captureTree(page);
      const written = await whole();
      return {
        'view (tree, screenshot, watch)': await timed(whole),
        tree: await timed(tree),
        "of it the browser's": await timed(() => readByBrowser(page)),
        screenshot: await timed(() => page.screenshot({ format: 'jpeg', quality: 85 })),
        snapshot: await timed(() => writeSnapshot(written, { maxTokens: Infinity })),
      };
    });
    rows.push({ page: path, ...times });
  }
  return rows;
}

/** The browser's share of `captureTree`. */
function readByBrowser(page) {
  const boxes = { computedStyles: STYLES, includePaintOrder: true, includeDOMRects: true };
  return Promise.all([page.send('Accessibility.getFullAXTree', {}), page.send('DOMSnapshot.captureSnapshot', boxes)]);
}

async function measureLabels() {
  const view = await onPage('/shop', (page) => captureView(page));
  const { boxes } = await writeSnapshot(view, { maxTokens: Infinity });
  const some = boxes.slice(0, LABELS);
  return [{ elements: some.length, ms: await timed(() => drawLabels(view, some, { signal })) }];
}

/** Steps on each page, alternating: a pointer on an element, and text in a field if there is one. Each part is measured where it happens. */
async function measureSteps() {
  const rows = [];
  const all = {};
  for (const path of documents()) {
    const parts = await onPage(path, takeSteps);
    rows.push({ page: path, ...medians(parts) });
    for (const [name, times] of Object.entries(parts)) (all[name] ??= []).push(...times);
  }
  return [...rows, { page: 'all', ...medians(all) }];
}

function medians(parts) {
  return Object.fromEntries(Object.entries(parts).map(([name, times]) => [name, Math.round(median(times))]));
}

async function takeSteps(page) {
  const refs = createRefTable();
  const actor = createActor(page, { refs });
  const parts = { capture: [], snapshot: [], labels: [], act: [], settle: [], step: [] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const clock = startClock();
      const view = await captureView(page, { refs });
      clock.lap('capture');
      const { text, boxes } = await writeSnapshot(view, { maxTokens: 8_000 });
      clock.lap('snapshot');
      await drawLabels(view, boxes, { signal });
      clock.lap('labels');
      await actor.perform(chooseAction(text, round), { signal, timeoutMs: 10_000 });
      clock.lap('act');
      await actor.settle(signal);
      clock.lap('settle');
      if (round === 0) continue;
      for (const [name, ms] of Object.entries(clock.laps)) parts[name].push(ms);
      parts.step.push(clock.total());
    }
  } finally {
    actor.close();
  }
  return parts;
}

/** Each subject keeps its page open, and clicks the same buttons. */
async function compareClicks() {
  const button = 'Add to cart';
  const rivals = await Promise.all(
    RIVAL_NAMES.map(async (name) => [name, await openRival(name, { shell: shell.path, url: site.url('/shop'), button })]),
  );
  const times = { 'Platen, text': [], 'Platen, labelled screenshot': [], ...Object.fromEntries(RIVAL_NAMES.map((name) => [name, []])) };
  try {
    await onPage('/shop', async (page) => {
      const own = await openClicker(page, button);
      const subjects = [
        ['Platen, text', (at) => own.click(at, { screenshot: false })],
        ['Platen, labelled screenshot', (at) => own.click(at, {})],
        ...rivals.map(([name, { click }]) => [name, click]),
      ];
      for (let round = 0; round <= rounds; round += 1) {
        for (const [name, click] of subjects) {
          const started = performance.now();
          await click(round);
          if (round > 0) times[name].push(performance.now() - started);
        }
      }
      own.close();
    });
  } finally {
    await Promise.all(rivals.map(([, rival]) => rival.close()));
  }
  const ours = median(times['Platen, text']);
  return Object.entries(times).map(([subject, all]) => ({
    subject,
    ms: Math.round(median(all)),
    'of it Platen, text': (ours / median(all)).toFixed(2),
  }));
}

async function openClicker(page, button) {
  const refs = createRefTable();
  const actor = createActor(page, { refs });
  const look = async (options) => {
    const view = await captureView(page, { refs, ...options });
    const { text, boxes } = await writeSnapshot(view, { maxTokens: 8_000 });
    if (options.screenshot !== false) await drawLabels(view, boxes, { signal });
    return text;
  };
  let text = await look({});
  return {
    async click(at, options) {
      const found = [...text.matchAll(new RegExp(`button "${button}"[^\\n]*\\[ref=(\\w+)\\]`, 'g'))].map(([, ref]) => ref);
      await actor.perform({ kind: 'click', ref: found[at % found.length] }, { signal, timeoutMs: 10_000 });
      await actor.settle(signal);
      text = await look(options);
    },
    close: () => actor.close(),
  };
}

function startClock() {
  const started = performance.now();
  const laps = {};
  let last = started;
  return {
    laps,
    lap(name) {
      const now = performance.now();
      laps[name] = now - last;
      last = now;
    },
    total: () => last - started,
  };
}

/** What does not leave the page: text in a field, or a pointer on an element. */
function chooseAction(text, round) {
  const [, field] = /(?:textbox|searchbox)[^\n]*\[ref=(e\d+)\]/.exec(text) ?? [];
  const [, ref] = /\[ref=(e\d+)\]/.exec(text) ?? [];
  if (field !== undefined && round % 2 === 0) return { kind: 'fill', ref: field, value: `text ${round}` };
  return ref === undefined ? { kind: 'scroll', dir: round % 2 === 0 ? 'down' : 'up' } : { kind: 'hover', ref };
}

async function printBoth() {
  console.log(await onPage(values.print, writeOurs));
  console.log((await readByPlaywright(values.print)).ai);
  return [];
}

async function writeOurs(page) {
  return (await writeSnapshot(await captureView(page, { screenshot: false }), { maxTokens: Infinity })).text;
}

async function readByPlaywright(path) {
  const page = await browser.newPage({ viewport: VIEWPORT });
  try {
    await page.goto(site.url(path));
    return { ai: await page.ariaSnapshot({ mode: 'ai' }), plain: await page.ariaSnapshot() };
  } finally {
    await page.close();
  }
}

/** The first of all is not counted: it loads code. */
async function timed(work) {
  const times = [];
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    await work();
    if (round > 0) times.push(performance.now() - started);
  }
  return Math.round(median(times));
}

/** The result of a function that works on a page of Platen. */
async function onPage(path, work) {
  let result;
  const working = definePlugin({
    name: 'bench',
    captures: [{ kind: 'bench', spansDocuments: true }],
    outputs: [{ type: 'bench', from: 'bench', contentType: 'text/plain', extension: 'txt' }],
    plan: ({ browser: needs }) => void (needs.scaled = true),
    apply({ hooks }) {
      hooks.capture.for('bench').tapPromise('bench', async ({ page }) => {
        result = await work(page);
        return true;
      });
      hooks.encode.for('bench').tap('bench', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.alloc(0) }));
    },
  });
  const host = createTestKernel({ plugins: [working] });
  try {
    await (await host.render({ url: site.url(path), output_type: 'bench', timeout: 300 })).bytes();
  } finally {
    await host[Symbol.asyncDispose]();
  }
  return result;
}

/** Without the content of the frame. */
function documents() {
  return Object.keys(PAGES).filter((path) => path !== '/card');
}

async function openPages() {
  const server = createServer(({ url }, response) => {
    const isImage = url === '/dot.svg';
    response.writeHead(isImage || url in PAGES ? 200 : 404, { 'content-type': isImage ? 'image/svg+xml' : 'text/html' });
    response.end(isImage ? DOT : PAGES[url]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: (path) => `http://127.0.0.1:${server.address().port}${path}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
