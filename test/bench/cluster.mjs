// What a cluster costs and gives: `npm run bench:cluster [-- renders]`. All processes run on this machine, over a Redis of their own.
// - Latency of the hop: a front with one worker beside a single server, asked by turns (ratio of medians), and the processor time of both.
// - Throughput of renders that mostly wait (`wait_for=1`), by 1, 2 and 4 workers of two renders each.
// - Recovery: from the kill -9 of a worker to the response that another one has rendered.

import { loadavg } from 'node:os';
import { latencies, median, processorMs, rate } from './measure.mjs';
import { openRedis } from './redis.mjs';
import { openPlaten, openSite } from './subjects.mjs';

const COUNT = Number(process.argv[2] ?? 60);
/** Seconds, the least that `--cluster-lock` takes beside its default. */
const LOCKS = [2, 10];

const site = await openSite();
const queue = await openRedis();
let clusters = 0;

try {
  console.log(`load average ${loadavg()[0].toFixed(1)}`);
  await compareLatency();
  await compareThroughput();
  await measureRecovery();
} finally {
  await queue.close();
  site.close();
}

async function compareLatency() {
  const single = await openPlaten();
  const cluster = await openCluster(1);
  const url = site.url('tiny');
  const html = { output_type: 'html' };
  const withParams = (subject, params) => ({ render: () => subject.render(url, params) });
  const rows = [];
  for (const [output, params] of [
    ['png', {}],
    ['html', html],
  ]) {
    const times = { single: [], cluster: [] };
    const processor = { single: 0, cluster: 0 };
    await latencies(withParams(single, params), url, 10);
    await latencies(withParams(cluster.front, params), url, 10);
    for (let turn = 0; turn < 4; turn += 1) {
      for (const [name, subject, pids] of [
        ['single', single, [single.pid]],
        ['cluster', cluster.front, [cluster.front.pid, ...cluster.workers.map(({ pid }) => pid)]],
      ]) {
        const before = await processorMs(pids);
        times[name].push(...(await latencies(withParams(subject, params), url, COUNT / 4)).times);
        processor[name] += (await processorMs(pids)) - before;
      }
    }
    rows.push({
      output,
      'single p50, ms': median(times.single).toFixed(1),
      'cluster p50, ms': median(times.cluster).toFixed(1),
      ratio: (median(times.cluster) / median(times.single)).toFixed(2),
      'processor time of the hop, ms a job': ((processor.cluster - processor.single) / COUNT).toFixed(1),
    });
  }
  console.table(rows);
  await cluster.close();
  await single.close();
}

async function compareThroughput() {
  const rows = [];
  for (const count of [1, 2, 4]) {
    const cluster = await openCluster(count, { ofWorkers: ['--cluster-concurrency', '2'] });
    const render = () => cluster.front.render(site.url('tiny'), { wait_for: '1', output_type: 'html' });
    await Promise.all(Array.from({ length: count * 2 }, render));
    const perSecond = await rate({ render }, undefined, { clients: count * 4, count: Math.max(8, COUNT / 4) * count });
    rows.push({
      workers: count,
      'renders/s': perSecond.toFixed(2),
      'x one': (perSecond / Number(rows[0]?.['renders/s'] ?? perSecond)).toFixed(2),
    });
    await cluster.close();
  }
  console.table(rows);
}

async function measureRecovery() {
  const rows = [];
  for (const lock of LOCKS) {
    const cluster = await openCluster(2, { ofAll: ['--cluster-lock', String(lock)] });
    const render = cluster.front.render(site.url('tiny'), { wait_for: '2', output_type: 'html' });
    const lost = await findBusy(cluster.workers);
    const killed = performance.now();
    process.kill(lost.pid, 'SIGKILL');
    cluster.workers.splice(cluster.workers.indexOf(lost), 1);
    await render;
    rows.push({ 'lock, s': lock, 'killed to response, s': ((performance.now() - killed) / 1000).toFixed(1), 'of these the render, s': 2 });
    await cluster.close();
  }
  console.table(rows);
}

/** The worker that has begun the job. */
async function findBusy(workers) {
  for (;;) {
    for (const worker of workers) if ((await worker.status()).in_flight > 0) return worker;
  }
}

async function openCluster(count, { ofAll = [], ofWorkers = [] } = {}) {
  clusters += 1;
  const name = `bench-${clusters}`;
  const front = await openPlaten([...flagsOf(name, 'front'), ...ofAll]);
  const workers = await Promise.all(Array.from({ length: count }, () => openWorker(name, [...ofAll, ...ofWorkers])));
  return {
    name,
    front,
    workers,
    close: () => Promise.all([front, ...workers].map((each) => each.close())),
  };
}

function openWorker(name, flags) {
  return openPlaten([...flagsOf(name, 'worker'), ...flags]);
}

function flagsOf(name, role) {
  return ['--cluster-queue', queue.url, '--cluster-name', name, '--cluster-role', role];
}
