// Renders a mixture of pages, every fifth of them a failure, in waves, and shows that nothing is left of them:
//   node test/soak/soak.mjs [renders=3000] [waves=10] [concurrency=4]
// Prints a table, a line a wave, and ends with 1 where an answer was not the expected one or something grew. Linux only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { measure } from './measure.mjs';
import { openMixture, renderOf } from './mixture.mjs';

const [renders = 3000, waves = 10, concurrency = 4] = process.argv.slice(2).map(Number);

/** How much more than after the first wave is still no growth. */
const SLACK = { descriptors: 10, processes: 6, zombies: 0, files: 2, rss: 60, heap: 12 };

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

async function startServer(folder) {
  const preload = new URL('memory-on-request.mjs', import.meta.url).href;
  const flags = ['--server', '--server-bind-port', '0', '--server-additional-asset-expiration', '1', '--log-level', 'info'];
  const child = spawn(process.execPath, ['--expose-gc', '--import', preload, file('../../server/dist/cli.js'), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, TMPDIR: folder, XDG_CACHE_HOME: join(folder, 'cache') },
  });
  const lines = createInterface(child.stdout);
  const url = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const { msg, url: listening } = JSON.parse(line);
      if (msg === 'listening') resolve(listening);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { child, url };
}

/** Renders once; resolves with what was not as expected, or undefined. */
async function renderOnce(index, { url, site }) {
  const [params, expects] = renderOf(index, site);
  const leaves = expects === 'left';
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ timeout: 30, ...params }),
      signal: leaves ? AbortSignal.timeout(300) : undefined,
    });
    const body = Buffer.from(await response.arrayBuffer());
    const came = response.headers.get('content-type') === 'application/problem+json' ? JSON.parse(body).code : response.status;
    return came === expects && body.length > 0 ? undefined : `${JSON.stringify(params)}: ${came} instead of ${expects}`;
  } catch (error) {
    return leaves && error.name === 'TimeoutError' ? undefined : `${JSON.stringify(params)}: ${error}`;
  }
}

async function runWave(first, count, target) {
  let next = first;
  const wrong = [];
  const work = async () => {
    while (next < first + count) {
      const found = await renderOnce(next++, target);
      if (found !== undefined) wrong.push(found);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return wrong;
}

/** Nothing under way, and the assets' second is over. */
async function rest(url) {
  for (;;) {
    const { in_flight } = await (await fetch(`${url}/status`)).json();
    await pause(in_flight === 0 ? 1500 : 100);
    if (in_flight === 0) return;
  }
}

const folder = await mkdtemp(join(tmpdir(), 'platen-soak-'));
// The browser may run as another user.
await chmod(folder, 0o1777);
const mixture = await openMixture();
const { child, url } = await startServer(folder);
const rows = [];
const wrong = [];
try {
  for (let wave = 0; wave < waves; wave++) {
    const [from, to] = [wave, wave + 1].map((edge) => Math.round((renders * edge) / waves));
    const began = performance.now();
    wrong.push(...(await runWave(from, to - from, { url, site: mixture.url })));
    const seconds = (performance.now() - began) / 1000;
    await rest(url);
    const row = {
      renders: to,
      'renders/s': (to - from) / seconds,
      ...(await measure(child, [folder, join(folder, 'cache', 'platen', 'assets')])),
    };
    console.error(`${to} of ${renders} renders`);
    rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Math.round(value * 10) / 10])));
  }
  console.table(rows);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  if (code !== 0) wrong.push(`the server ended with ${code}`);
} finally {
  child.kill('SIGKILL');
  mixture.close();
  await rm(folder, { recursive: true, force: true });
}
const [base, last] = [rows[0], rows.at(-1)];
const grown = Object.entries(SLACK).filter(([name, slack]) => last[name] > base[name] + slack);
for (const line of wrong.slice(0, 20)) console.log(line);
for (const [name] of grown) console.log(`${name} grew from ${base[name]} to ${last[name]}`);
console.log(`${renders} renders, ${wrong.length} not as expected, ${grown.length} of ${Object.keys(SLACK).length} things grew`);
process.exitCode = wrong.length + grown.length === 0 ? 0 : 1;
