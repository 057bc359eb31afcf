// npm run bench:walks [-- --rounds 5 --pages 120 --subjects wacz,warc,jsonl,puppeteer,cluster,crawlee]
// A walk through a site: pages a second, and processor time for each page, of Platen with its recorder and archive, or with the Markdown of each page, and of crawlers that record nothing.
// Subjects take turns, and the order turns round by round.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';
import { openPlaten } from './subjects.mjs';
import { measureTree } from './tree-time.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '120' },
    subjects: { type: 'string', default: 'wacz,warc,jsonl,puppeteer,cluster,crawlee' },
  },
});
const pages = Number(values.pages);
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const WALK = { crawl_links: 'true', crawl_delay: '0', crawl_concurrency: '2' };

const site = await openLinkedSite();
const subjects = [];
try {
  for (const name of values.subjects.split(',')) subjects.push(await openSubject(name));
  for (const subject of subjects) await run(subject);
  const results = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const subject of round % 2 === 0 ? subjects : [...subjects].reverse()) results.get(subject).push(await run(subject));
  }
  console.table([...results].map(([{ name }, runs]) => toRow(name, runs)));
  console.log(`load ${loadavg()[0].toFixed(1)}`);
} finally {
  for (const subject of subjects) await subject.close();
  site.close();
}

async function openLinkedSite() {
  const child = fork(path('fixtures/walk-site.mjs'), [String(pages)]);
  const [{ port }] = await once(child, 'message');
  const base = `http://127.0.0.1:${port}`;
  return {
    seed: `${base}/p0`,
    visited: async () => Number(await (await fetch(`${base}/visited`)).text()),
    close: () => child.disconnect(),
  };
}

async function openSubject(name) {
  if (['wacz', 'warc', 'jsonl'].includes(name)) {
    const platen = await openPlaten();
    return { ...platen, name: `Platen, ${name}`, walk: (url) => platen.render(url, { ...WALK, output_type: name }) };
  }
  const child = fork(path('walk-peers.mjs'), [name]);
  await once(child, 'message');
  return {
    name,
    pid: child.pid,
    async walk(url) {
      child.send(url);
      const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
      if (answer !== 'done') throw new Error(`${name} has ended`);
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function run(subject) {
  const started = performance.now();
  let seconds = 0;
  const { times } = await measureTree(subject.pid, async () => {
    await subject.walk(site.seed);
    seconds = (performance.now() - started) / 1000;
  });
  const visited = await site.visited();
  if (visited !== pages) throw new Error(`${subject.name} has visited ${visited} of ${pages} pages`);
  const perPage = Object.fromEntries(Object.entries(times).map(([kind, ms]) => [kind, ms / pages]));
  process.stderr.write(`${subject.name}: ${seconds.toFixed(1)} s\n`);
  return { rate: pages / seconds, total: Object.values(perPage).reduce((sum, ms) => sum + ms, 0), ...perPage };
}

function toRow(name, runs) {
  const [rate, ...costs] = Object.keys(runs[0]).map((key) => [key, median(runs.map((one) => one[key]))]);
  return {
    subject: name,
    'pages/s': rate[1].toFixed(1),
    ...Object.fromEntries(costs.map(([key, ms]) => [key === 'total' ? 'ms a page' : key, ms.toFixed(1)])),
  };
}
