// How long GET /status takes while 8 AVIFs are rendered and encoded at once, and while nothing is. `node test/bench/status.mjs [rounds]`.

import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile } from './measure.mjs';
import { openPlaten, openSite } from './subjects.mjs';

const AT_ONCE = 8;
const EVERY_MS = 5;
const rounds = Number(process.argv[2] ?? 3);
const site = await openSite();
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
}

async function askWhile(name, work) {
  let working = true;
  const started = performance.now();
  const done = work.finally(() => (working = false));
  const times = [];
  while (working) {
    const asked = performance.now();
    await platen.status();
    times.push(performance.now() - asked);
    await delay(EVERY_MS);
  }
  await done;
  return {
    meanwhile: name,
    seconds: ((performance.now() - started) / 1000).toFixed(1),
    answers: times.length,
    p50: median(times).toFixed(1),
    p99: percentile(times, 0.99).toFixed(1),
    most: Math.max(...times).toFixed(1),
  };
}
