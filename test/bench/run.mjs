// npm run bench [-- --rounds N --json FILE --memory RENDERS]
// Compares Platen over HTTP with the usual puppeteer script, in one run, as ratios. Subjects take turns, and the order turns round by round.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { latencies, median, percentile, rate, treeMemory } from './measure.mjs';
import { openPlaten, openPuppeteer, openSite } from './subjects.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    pages: { type: 'string', default: 'tiny,medium,heavy,long' },
    json: { type: 'string' },
    memory: { type: 'string', default: '0' },
  },
});
const PER_ROUND = 8;
const CLIENTS = [1, 2, 4, 8];

const site = await openSite();
const subjects = [await openPlaten(), await openPuppeteer({ fast: false }), await openPuppeteer({ fast: true })];
const [platen] = subjects;
try {
  const rows = [];
  for (const page of values.pages.split(',')) rows.push(...(await comparePage(page)));
  print(rows);
  const memory = await measureMemory(Number(values.memory));
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify({ rows, memory }, null, 2));
} finally {
  await Promise.all(subjects.map((subject) => subject.close()));
  site.close();
}

async function comparePage(page) {
  const url = site.url(page);
  const results = new Map(
    subjects.map((subject) => [subject, { times: [], timings: [], rates: Object.fromEntries(CLIENTS.map((clients) => [clients, []])) }]),
  );
  for (const subject of subjects) await latencies(subject, url, 3);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of order) {
      const { times, timings } = await latencies(subject, url, PER_ROUND);
      results.get(subject).times.push(...times);
      results.get(subject).timings.push(...timings);
    }
    for (const clients of CLIENTS) {
      for (const subject of order) results.get(subject).rates[clients].push(await rate(subject, url, { clients, count: PER_ROUND * 2 }));
    }
  }
  return Promise.all(
    subjects.map(async (subject) => {
      const { times, timings, rates } = results.get(subject);
      const perSecond = Object.fromEntries(CLIENTS.map((clients) => [clients, median(rates[clients])]));
      const row = {
        page,
        subject: subject.name,
        p50: median(times),
        p95: percentile(times, 0.95),
        rate: perSecond,
        mib: await treeMemory(subject.pid),
      };
      return subject === platen ? { ...row, phases: phasesOf(timings), overhead: overheadOf(times, timings) } : row;
    }),
  );
}

function phasesOf(timings) {
  const names = Object.keys(timings[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(timings.map((timing) => timing[name] ?? 0))]));
}

/** What a request costs beside the phases of its render: HTTP, validation, planning, hooks, and the client's own share. */
function overheadOf(times, timings) {
  return median(times.map((time, index) => time - Object.values(timings[index]).reduce((sum, part) => sum + part, 0)));
}

function print(rows) {
  for (const page of new Set(rows.map((row) => row.page))) {
    const here = rows.filter((row) => row.page === page);
    const own = here[0];
    console.log(`\n${page}`);
    console.table(
      here.map((row) => ({
        subject: row.subject,
        'p50 ms': row.p50.toFixed(1),
        'p95 ms': row.p95.toFixed(1),
        'p50 Platen / this': (own.p50 / row.p50).toFixed(2),
        ...Object.fromEntries(CLIENTS.map((clients) => [`/s at ${clients}`, row.rate[clients].toFixed(1)])),
        'rate at 4, Platen / this': (own.rate[4] / row.rate[4]).toFixed(2),
        'MiB of the tree': row.mib.toFixed(0),
      })),
    );
    console.log(
      `Platen's phases, ms: ${Object.entries(own.phases)
        .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
        .join(', ')}; beside them ${own.overhead.toFixed(1)}`,
    );
  }
}

/** Memory of Platen's process tree after the first 200 renders and at the end. */
async function measureMemory(renders) {
  if (renders === 0) return undefined;
  const url = site.url('tiny');
  await rate(platen, url, { clients: 4, count: 200 });
  const first = await treeMemory(platen.pid);
  await rate(platen, url, { clients: 4, count: renders - 200 });
  const last = await treeMemory(platen.pid);
  console.log(
    `\nmemory after 200 renders ${first.toFixed(0)} MiB, after ${renders} ${last.toFixed(0)} MiB: ${(last / first).toFixed(2)} x`,
  );
  return { first, last, renders };
}
