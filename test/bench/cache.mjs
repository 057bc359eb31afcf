// npm run bench:cache [-- --rounds N --seconds S]
// A cached picture of 100 KB against a plain Koa static file, in one run, as ratios. Each is a process of its own, and they take turns.
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, percentile } from './measure.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } } });
const PICTURE = randomBytes(100_000);
const CLIENTS = 4;

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const file = join(folder, 'picture.png');
await writeFile(file, PICTURE);
const subjects = [
  await open('cached', new URL('fixtures/serve-cached.mjs', import.meta.url)),
  await open('static', new URL('fixtures/serve-static.mjs', import.meta.url)),
];
try {
  for (const subject of subjects) await load(subject, 1000);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const subject of round % 2 === 0 ? subjects : [...subjects].reverse()) subject.runs.push(await measure(subject));
  }
  const rows = subjects.map(({ name, runs }) => ({
    name,
    'requests/s': Math.round(median(runs.map(({ rate }) => rate))),
    'p50 ms': median(runs.map(({ p50 }) => p50)).toFixed(2),
    'CPU µs a request': Math.round(median(runs.map(({ cpu }) => cpu))),
    'requests/s of one core': Math.round(median(runs.map(({ cpu }) => 1e6 / cpu))),
  }));
  console.table(rows);
  const ratio = (of) => (rows[0][of] / rows[1][of]).toFixed(2);
  console.log(`cached : static = ${ratio('requests/s')} in requests/s, ${ratio('requests/s of one core')} in requests of one core`);
} finally {
  for (const { child } of subjects) child.kill();
  await rm(folder, { recursive: true });
}

async function open(name, script) {
  const child = fork(fileURLToPath(script), [folder, file]);
  const [{ url }] = await once(child, 'message');
  return { name, child, url, runs: [], agent: new Agent({ keepAlive: true, maxSockets: CLIENTS }) };
}

async function cpuOf({ child }) {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu;
}

async function measure(subject) {
  const cpuBefore = await cpuOf(subject);
  const startedAt = performance.now();
  const times = await load(subject, Number(values.seconds) * 1000);
  const seconds = (performance.now() - startedAt) / 1000;
  return { rate: times.length / seconds, p50: percentile(times, 0.5), cpu: ((await cpuOf(subject)) - cpuBefore) / times.length };
}

/** Each client asks again as soon as it has its answer. */
async function load(subject, ms) {
  const until = performance.now() + ms;
  const times = [];
  const client = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      await ask(subject);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}

function ask({ url, agent }) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.on('end', () => (bytes === PICTURE.length ? resolve() : reject(new Error(`${bytes} bytes of ${url}`))));
    }).on('error', reject);
  });
}
