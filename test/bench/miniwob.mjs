// MINIWOB_HTML=path npm run bench:miniwob [-- --tasks click-button,use-slider --seeds 3 --print]
// The share of MiniWoB++ tasks that policies reach which see nothing but snapshots, and act by refs: the ceiling that perception and action
// set to every model. `--print` prints the goal and the first snapshot of all tasks, `--failed` the last one of
// each failed episode.

import { createReadStream } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { createActor } from '@platen/lib-actor';
import { captureView, createRefTable, writeSnapshot } from '@platen/lib-view';
import { POLICIES } from './miniwob/policies.mjs';
import { readLines } from './miniwob/read-lines.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string' },
    seeds: { type: 'string', default: '3' },
    print: { type: 'boolean', default: false },
    failed: { type: 'boolean', default: false },
  },
});
const { MINIWOB_HTML: folder } = process.env;
if (folder === undefined)
  throw new Error('MINIWOB_HTML is not set: the folder "miniwob/html" of https://github.com/Farama-Foundation/miniwob-plusplus');
await access(join(folder, 'core/core.js'));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
/** Below the time of a render. */
const TASK_MS = 25_000;
const MAX_ACTIONS = 80;

const known = Object.keys(POLICIES);
const all = (await readdir(join(folder, 'miniwob'))).filter((name) => name.endsWith('.html')).map((name) => name.slice(0, -5));
const tasks = values.tasks?.split(',') ?? (values.print ? all : known.filter((name) => all.includes(name)));
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => `seed-${index + 1}`);

const site = await openFolder();
/** What the next render does with its page. */
let work = () => undefined;
const host = openHost();
try {
  await (values.print ? printTasks() : runTasks());
} finally {
  await host[Symbol.asyncDispose]();
  site.close();
}

async function printTasks() {
  for (const task of tasks) await onPage((page) => printTask(page, task));
}

async function printTask(page, task) {
  try {
    const world = await start(page, task, seeds[0]);
    console.log(`\n## ${task}\n${world.goal}\n${(await world.look()).text}`);
    world.close();
  } catch (error) {
    console.log(`\n## ${task}\n${String(error)}`);
  }
}

async function runTasks() {
  const rows = [];
  for (const task of tasks) {
    const results = [];
    for (const seed of seeds) results.push(await onPage((page) => runTask(page, task, seed)));
    const reached = results.filter(({ reward }) => reward > 0).length;
    if (values.failed) for (const { reward, last } of results) if (!(reward > 0)) console.log(last?.text);
    rows.push({
      task,
      reached: `${reached} of ${seeds.length}`,
      actions: results.reduce((sum, { actions }) => sum + actions, 0),
      why: results.find(({ why }) => why !== '')?.why ?? '',
    });
    console.log(`${task.padEnd(32)} ${reached} of ${seeds.length}  ${rows.at(-1).why}`);
  }
  const full = rows.filter(({ reached }) => reached === `${seeds.length} of ${seeds.length}`).length;
  const share = rows.reduce((sum, { reached }) => sum + Number.parseInt(reached, 10), 0) / (rows.length * seeds.length);
  console.log(
    `\n${rows.length} of ${all.length} tasks have a policy; ${full} of them were reached with every seed; ${(share * 100).toFixed(1)} % of all episodes (goal: 95 %)`,
  );
}

async function runTask(page, task, seed) {
  let world;
  try {
    world = await start(page, task, seed);
    await POLICIES[task](world);
  } catch (error) {
    const why = String(error?.message ?? error)
      .split('\n')[0]
      .slice(0, 200);
    const { reward } = world === undefined ? { reward: 0 } : await readEnd(page);
    return { reward, actions: world?.actions ?? 0, last: world?.last, why: reward > 0 ? '' : `${seed}: ${why}` };
  } finally {
    world?.close();
  }
  const { done, reward, reason } = await readEnd(page);
  const why = reward > 0 ? '' : done ? `${seed}: reward ${reward}${reason === null ? '' : ` (${reason})`}` : `${seed}: not ended`;
  return { reward, actions: world.actions, last: world.last, why };
}

/** The episode of a seed. */
async function start(page, task, seed) {
  const signal = AbortSignal.timeout(TASK_MS);
  const refs = createRefTable();
  const actor = createActor(page, { refs });
  await actor.perform({ kind: 'goto', url: site.url(`/miniwob/${task}.html`) }, { signal, timeoutMs: 20_000 });
  await actor.settle(signal);
  const run = `Math.seedrandom(${JSON.stringify(seed)}); core.EPISODE_MAX_TIME = 1e9; core.startEpisodeReal(); document.querySelector('#query').innerText`;
  const goal = String(await evaluate(page, run))
    .replace(/\s+/g, ' ')
    .trim();
  await actor.settle(signal);
  const world = {
    goal,
    actions: 0,
    signal,
    async look() {
      const { text } = await writeSnapshot(await captureView(actor.page, { refs, screenshot: false }), { maxTokens: 8_000 });
      world.last = readLines(text);
      return world.last;
    },
    async act(action) {
      world.actions += 1;
      if (world.actions > MAX_ACTIONS) throw new Error(`more than ${MAX_ACTIONS} actions`);
      const performed = await actor.perform(action, { signal, timeoutMs: 10_000 });
      await actor.settle(signal);
      return performed;
    },
    isOver: async () => (await readEnd(page)).done,
    close: () => actor.close(),
  };
  return world;
}

function readEnd(page) {
  return evaluate(page, '({ done: WOB_DONE_GLOBAL, reward: WOB_RAW_REWARD_GLOBAL, reason: WOB_REWARD_REASON })');
}

/** In the page's own world. */
async function evaluate(page, expression) {
  const { result, exceptionDetails } = await page.send('Runtime.evaluate', { expression, returnByValue: true });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}

/** The result of a function that works on a page of its own. */
async function onPage(run) {
  let result;
  work = async (page) => {
    result = await run(page);
  };
  await (await host.render({ url: site.url('/miniwob/click-button.html'), output_type: 'bench' })).bytes();
  return result;
}

function openHost() {
  const working = definePlugin({
    name: 'bench',
    captures: [{ kind: 'bench', spansDocuments: true }],
    outputs: [{ type: 'bench', from: 'bench', contentType: 'text/plain', extension: 'txt' }],
    plan: ({ browser }) => void (browser.scaled = true),
    apply({ hooks }) {
      hooks.capture.for('bench').tapPromise('bench', async ({ page }) => {
        await work(page);
        return true;
      });
      hooks.encode.for('bench').tap('bench', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.alloc(0) }));
    },
  });
  return createTestKernel({ plugins: [working] });
}

async function openFolder() {
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
    const stream = createReadStream(join(folder, path));
    stream.on('error', () => response.writeHead(404).end());
    stream.on('open', () => response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }));
    stream.pipe(response);
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
