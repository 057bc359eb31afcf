// How long GET /status takes while 8 AVIFs are rendered and encoded at once, and while nothing is. `node test/bench/status.mjs [rounds]`.
// Asked by turns with a server that has nothing else to do, in a process of its own: what that one takes, the machine takes, and not Platen.

import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile } from './measure.mjs';
import { openPlaten, openSite } from './subjects.mjs';

const AT_ONCE = 8;
const EVERY_MS = 5;
const rounds = Number(process.argv[2] ?? 3);
const site = await openSite();
const idle = await openSite();
const platen = await openPlaten();

/** The page at twice its size: a good part of a second of encoding each. */
const picture = () => platen.render(site.url('medium'), { output_type: 'avif', device_scale_factor: '2', timeout: '120' });

try {
  await picture();
  const rows = [];
  for (let round = 1; round <= rounds; round += 1) {
    rows.push(await askWhile('nothing', delay(2_000)));
    rows.push(await askWhile(`${AT_ONCE} AVIFs`, Promise.all(Array.from({ length: AT_ONCE }, picture))));
  }
  console.log(`GET /status, ms; load average ${loadavg()[0].toFixed(1)}`);
  console.table(rows);
} finally {
  await platen.close();
  site.close();
  idle.close();
}

async function askWhile(name, work) {
  let working = true;
  const started = performance.now();
  const done = work.finally(() => (working = false));
  const times = { platen: [], idle: [] };
  while (working) {
    times.platen.push(await timeOf(() => platen.status()));
    times.idle.push(await timeOf(askIdle));
    await delay(EVERY_MS);
  }
  await done;
  return {
    meanwhile: name,
    seconds: ((performance.now() - started) / 1000).toFixed(1),
    answers: times.platen.length,
    ...spread('/status', times.platen),
    ...spread('idle server', times.idle),
  };
}

async function timeOf(ask) {
  const asked = performance.now();
  await ask();
  return performance.now() - asked;
}

async function askIdle() {
  const response = await fetch(idle.url('tiny'));
  await response.arrayBuffer();
}

function spread(who, times) {
  return {
    [`${who} p50`]: median(times).toFixed(1),
    [`${who} p99`]: percentile(times, 0.99).toFixed(1),
    [`${who} most`]: Math.max(...times).toFixed(1),
  };
}
