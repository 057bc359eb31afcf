// What a cluster costs that is larger than this machine: `npm run bench:cluster-scale [-- workers seconds]`.
// The renders are waits of half a second in a few processes of many workers, the front and the Redis are real. Each job's processor time, by
// process, says where more jobs a second would saturate first.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { percentile, processorMs } from './measure.mjs';
import { openRedis } from './redis.mjs';
import { openPlaten } from './subjects.mjs';

const WORKERS = Number(process.argv[2] ?? 200);
const SECONDS = Number(process.argv[3] ?? 15);
const PROCESSES = 4;
const WAIT_MS = 500;
/** A PNG of a medium page. */
const BYTES = 100_000;
/** The last one asks for more than this machine bears. */
const CLIENTS = [16, 48, 96];
const RATES = [500, 1_000];

const queue = await openRedis();
const redis = new Redis(queue.url);
const cluster = ['--cluster-queue', queue.url];
const front = await openPlaten([...cluster, '--cluster-role', 'front']);
const groups = [];

try {
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  const alone = await measureIdle('front alone');
  for (let index = 0; index < PROCESSES; index += 1) groups.push(await openWorkers(WORKERS / PROCESSES));
  const idle = await measureIdle(`front and ${WORKERS} workers`);
  console.table([alone, idle]);
  await run(8, 3);
  const rows = [];
  for (const clients of CLIENTS) rows.push(await measure(clients));
  console.table(rows);
  console.table(RATES.map((perSecond) => extrapolate(perSecond, rows.at(-1), idle)));
} finally {
  for (const group of groups) group.disconnect();
  redis.disconnect();
  await front.close();
  await queue.close();
}

async function openWorkers(count) {
  const flags = [...cluster, '--cluster-role', 'worker', '--cluster-concurrency', '2'];
  const args = [count, WAIT_MS, BYTES, ...flags].map(String);
  const child = fork(fileURLToPath(new URL('fixtures/cluster-workers.mjs', import.meta.url)), args);
  await once(child, 'message');
  return child;
}

/** Processor time so far of the Redis, the front, all workers and this client. */
async function readTimes() {
  const { user, system } = process.cpuUsage();
  const [ofRedis, ofFront, ofWorkers] = await Promise.all([[queue.pid], [front.pid], groups.map(({ pid }) => pid)].map(processorMs));
  return { redis: ofRedis, front: ofFront, workers: ofWorkers, client: (user + system) / 1000 };
}

async function measureIdle(name) {
  await delay(3_000);
  const before = await readTimes();
  await delay(6_000);
  const after = await readTimes();
  const perSecond = (key) => Number(((after[key] - before[key]) / 6).toFixed(1));
  return {
    idle: name,
    'Redis, ms a second': perSecond('redis'),
    'front, ms a second': perSecond('front'),
    'workers, ms a second': perSecond('workers'),
  };
}

async function measure(clients) {
  await redis.config('RESETSTAT');
  const before = await readTimes();
  const { times, seconds } = await run(clients, SECONDS);
  const after = await readTimes();
  const info = await redis.info();
  const read = (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  const perJob = (key) => Number(((after[key] - before[key]) / times.length).toFixed(2));
  return {
    clients,
    'jobs/s': Number((times.length / seconds).toFixed(0)),
    'p50 beyond the wait, ms': Number((percentile(times, 0.5) - WAIT_MS).toFixed(0)),
    'p99, ms': Number((percentile(times, 0.99) - WAIT_MS).toFixed(0)),
    'Redis, ms a job': perJob('redis'),
    'front, ms': perJob('front'),
    'workers, ms': perJob('workers'),
    'client, ms': perJob('client'),
    'Redis commands a job': Number((read('total_commands_processed') / times.length).toFixed(1)),
    'Redis MB': Number((read('used_memory_peak') / 1024 ** 2).toFixed(1)),
    'Redis clients': read('connected_clients'),
  };
}

/** Asks for as many renders at once, for so many seconds. */
async function run(clients, forSeconds) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  const started = performance.now();
  const client = async () => {
    while (performance.now() - started < forSeconds * 1000) times.push(await ask(agent));
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return { times, seconds: (performance.now() - started) / 1000 };
}

async function ask(agent) {
  const started = performance.now();
  const [response] = await once(request(front.url({ url: 'http://a.test/', output_type: 'png' }), { agent }).end(), 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return performance.now() - started;
}

/** Processor cores that so many jobs a second need; a Redis has one. The time of processes without jobs is counted once. */
function extrapolate(perSecond, row, idle) {
  const cores = (each, resting) => {
    const perJob = row[each] - idle[resting] / row['jobs/s'];
    return Number(((perSecond * perJob + idle[resting]) / 1000).toFixed(2));
  };
  return {
    'jobs/s': perSecond,
    'Redis, cores': cores('Redis, ms a job', 'Redis, ms a second'),
    'fronts, cores': cores('front, ms', 'front, ms a second'),
    'workers without their renders, cores': cores('workers, ms', 'workers, ms a second'),
    'Gbit/s into and out of the fronts': Number(((perSecond * BYTES * 8) / 1e9).toFixed(2)),
  };
}
