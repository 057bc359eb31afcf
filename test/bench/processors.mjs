// npm run bench:processors [-- --page tiny --rounds 6 --renders 60]
// Processor time of a render by kind of process, at four clients: on a machine whose processors are full it is what bounds the rate.
// Subjects take turns, and the order turns round by round.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { familyOf, median, rate } from './measure.mjs';
import { openBareProtocol } from './bare-protocol.mjs';
import { openPlaten, openPuppeteer, openSite } from './subjects.mjs';

const { values } = parseArgs({
  options: {
    page: { type: 'string', default: 'tiny' },
    rounds: { type: 'string', default: '6' },
    renders: { type: 'string', default: '60' },
  },
});
const CLIENTS = 4;
const renders = Number(values.renders);
/** Milliseconds of processor time in a clock tick of /proc (USER_HZ is 100 on Linux). */
const TICK_MS = 10;
const KINDS = { node: 'node', 'gpu-process': 'gpu', utility: 'network', zygote: 'renderers', renderer: 'renderers' };

const site = await openSite();
const subjects = [
  await openPlaten(),
  { ...(await openPlaten(['--browser-no-sandbox'])), name: 'Platen, --browser-no-sandbox' },
  await openPuppeteer({ fast: false }),
  await openPuppeteer({ fast: true }),
  await openBareProtocol(),
];
const results = new Map(subjects.map((subject) => [subject, { rates: [], costs: [] }]));
try {
  const url = site.url(values.page);
  for (const subject of subjects) await rate(subject, url, { clients: CLIENTS, count: 40 });
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const subject of round % 2 === 0 ? subjects : [...subjects].reverse()) {
      const before = await processorTime(subject.pid);
      results.get(subject).rates.push(await rate(subject, url, { clients: CLIENTS, count: renders }));
      results.get(subject).costs.push(subtract(await processorTime(subject.pid), before));
    }
  }
  console.table(subjects.map(toRow));
} finally {
  await Promise.all(subjects.map((subject) => subject.close()));
  site.close();
}

function toRow(subject) {
  const { rates, costs } = results.get(subject);
  const total = median(costs.map((cost) => Object.values(cost).reduce((sum, ms) => sum + ms, 0)));
  const kinds = Object.fromEntries(Object.keys(costs[0]).map((kind) => [kind, median(costs.map((cost) => cost[kind])).toFixed(1)]));
  return { subject: subject.name, '/s at 4': median(rates).toFixed(1), 'ms a render': total.toFixed(1), ...kinds };
}

function subtract(after, before) {
  return Object.fromEntries(Object.keys(after).map((kind) => [kind, ((after[kind] - before[kind]) * TICK_MS) / renders]));
}

/** Clock ticks of a process and all below it, ended renderers included: the zygote has reaped them. */
async function processorTime(root) {
  const found = (await Promise.all((await familyOf(root)).map(lookAt))).filter((each) => each !== undefined);
  const ticks = { node: 0, browser: 0, renderers: 0, gpu: 0, network: 0 };
  for (const { type, own, reaped } of found) {
    const kind = KINDS[type] ?? 'browser';
    ticks[kind] += own + (type === 'zygote' ? reaped : 0);
  }
  return ticks;
}

async function lookAt(pid) {
  try {
    const [stat, command] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile(`/proc/${pid}/cmdline`, 'utf8')]);
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const type = /--type=([\w-]+)/.exec(command)?.[1] ?? (/\bnode\0/.test(command) ? 'node' : 'browser');
    return { own: fields[11] + fields[12], reaped: fields[13] + fields[14], type };
  } catch {
    return undefined;
  }
}
