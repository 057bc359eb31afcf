// Several outputs of one load beside a render for each, as a ratio. `node test/bench/outputs.mjs [rounds] [pages] [latency in ms]`.
// The two take turns, so that what else the machine does meets both. The site answers as late as one that is not on this machine.
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { createTestKernel } from '@platen/kernel/testing';
import { median } from './measure.mjs';
import { openSite } from './subjects.mjs';

const TYPES = ['png', 'pdf', 'markdown', 'mhtml', 'har', 'axtree'];
const PLUGINS = ['screenshot', 'print', 'dom', 'network', 'accessibility', ...TYPES, 'outputs'];

const rounds = Number(process.argv[2] ?? 5);
const pages = process.argv[3]?.split(',') ?? ['tiny', 'medium', 'heavy'];
const latency = Number(process.argv[4] ?? 100);
const plugins = await Promise.all(PLUGINS.map(async (name) => (await import(`@platen/plugin-${name}`)).default));
const site = await openSite();
const far = createServer(forward).listen(0, '127.0.0.1');
await once(far, 'listening');
const kernel = createTestKernel({ plugins });

try {
  console.log(`${TYPES.join(', ')}; median of ${rounds}; latency ${latency} ms; load average ${loadavg()[0].toFixed(1)}`);
  console.log(['page', 'alone ms', 'together ms', 'ratio'].map((text) => text.padStart(12)).join(''));
  for (const page of pages) {
    const url = Object.assign(new URL(site.url(page)), { port: far.address().port }).href;
    const [alone, together] = [[], []];
    await renderTogether(url);
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await timeOf(() => renderAlone(url)));
      together.push(await timeOf(() => renderTogether(url)));
    }
    const [a, b] = [median(alone), median(together)];
    console.log([page, Math.round(a), Math.round(b), (b / a).toFixed(2)].map((cell) => String(cell).padStart(12)).join(''));
  }
} finally {
  await kernel[Symbol.asyncDispose]();
  site.close();
  far.close();
}

async function forward(request, response) {
  await setTimeout(latency);
  get(new URL(request.url, site.url('')), (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
}

async function renderAlone(url) {
  for (const output_type of TYPES) await (await kernel.render({ url, output_type })).bytes();
}

async function renderTogether(url) {
  const [output_type, ...with_output] = TYPES;
  const { assets, bytes } = await kernel.render({ url, output_type, with_output });
  await bytes();
  for (const asset of assets.kept) await buffer(asset.open());
  if (assets.missing.length > 0) throw new Error(`missing: ${assets.missing.map(({ name }) => name).join(', ')}`);
}

async function timeOf(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
