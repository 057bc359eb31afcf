// node test/bench/recorders.mjs [--pairs N --pages tiny,heavy --recorders har,network_log --rivals chrome-har]
// What a recorder costs: a plain render and one with the recorder take turns, in one process, and are compared by their medians.
import { loadavg } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createKernel, silentLogger } from '@platen/kernel';
import exchanges from '@platen/plugin-network';
import har from '@platen/plugin-har';
import networkLog from '@platen/plugin-network-log';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import storage from '@platen/plugin-storage';
import wait from '@platen/plugin-wait';
import { RIVALS } from './har-rivals.mjs';
import { median } from './measure.mjs';
import { openSite } from './subjects.mjs';

const RECORDERS = {
  har: { with_har: true },
  har_bodies: { with_har: true, har_capture_bodies: true },
  network_log: { with_network_log: true },
  pprof_cpu: { with_pprof_cpu: true },
  pprof_memory: { with_pprof_memory: true },
  storage: { with_storage: true },
};

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '20' },
    pages: { type: 'string', default: 'tiny,medium,heavy,long' },
    recorders: { type: 'string', default: Object.keys(RECORDERS).join(',') },
    rivals: { type: 'string', default: Object.keys(RIVALS).join(',') },
  },
});

const plugins = [pixels, png, wait, exchanges, har, networkLog, pprof, storage];
const kernel = createKernel({
  plugins: plugins.map((definition) => ({ definition, packageName: definition.name, version: '0.0.0' })),
  flags: {},
  log: silentLogger,
});
const site = await openSite();
try {
  for (const page of values.pages.split(',')) {
    for (const recorder of listOf(values.recorders)) {
      console.log(await compare({ page, recorder, time: (recorded) => time(page, recorded ? RECORDERS[recorder] : {}) }));
    }
    for (const rival of listOf(values.rivals)) console.log(await compareRival(page, rival));
  }
  console.log(`load ${loadavg()[0].toFixed(1)}`);
} finally {
  await kernel.close();
  site.close();
}

function listOf(text) {
  return text === '' ? [] : text.split(',');
}

async function compareRival(page, name) {
  const rival = await RIVALS[name]();
  try {
    return await compare({ page, recorder: name, time: (recorded) => timeRival(rival, page, recorded) });
  } finally {
    await rival.close();
  }
}

async function compare({ page, recorder, time }) {
  for (const recorded of [false, true]) await time(recorded);
  const times = [[], []];
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    // Whoever comes second may find the machine warmer.
    for (const subject of pair % 2 === 0 ? [0, 1] : [1, 0]) times[subject].push(await time(subject === 1));
  }
  const [plain, recorded] = times.map(median);
  const ratios = times[0].map((one, pair) => times[1][pair] / one);
  const show = (number) => number.toFixed(1).padStart(7);
  return `${page.padEnd(7)} ${recorder.padEnd(16)} ${show(plain)} ms ${show(recorded)} ms   x ${(recorded / plain).toFixed(2)}   pairs x ${median(ratios).toFixed(2)}`;
}

/** Milliseconds until the picture is whole and the HAR can be read. */
async function timeRival(rival, page, recorded) {
  const start = performance.now();
  const entries = await rival.render(site.url(page), recorded);
  if (recorded && entries === 0) throw new Error('the HAR is empty');
  return performance.now() - start;
}

/** Milliseconds until the picture is whole and the assets are in the store. */
async function time(page, params) {
  const start = performance.now();
  const { output } = await kernel.render(kernel.plan(kernel.validate({ url: site.url(page), ...params }, 'body')));
  if (!Buffer.isBuffer(output.body)) await buffer(output.body);
  return performance.now() - start;
}
