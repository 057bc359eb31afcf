// npm run bench:cold [-- --rounds N --program FILE --against FILE]
// A cold start, in new processes by turns: one PNG on the command line beside the usual puppeteer script; help, an MCP session up to its
// tools, and a server up to its status. `--against`: the command line of another build, to which all of them are compared, too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowsers } from '@platen/kernel';
import { median } from './measure.mjs';
import { openSite } from './subjects.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    program: { type: 'string', default: here('../../server/bin/platen.mjs') },
    against: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const PROGRAMS = { Platen: values.program, ...(values.against === undefined ? {} : { against: values.against }) };

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const site = await openSite();
const { shell } = await findBrowsers();
const script = here(`.cold-${String(process.pid)}.mjs`);
await writeFile(
  script,
  `import puppeteer from 'puppeteer-core';
const browser = await puppeteer.launch({ executablePath: ${JSON.stringify(shell.path)}, headless: 'shell', args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 720 });
await page.goto(process.argv[2]);
await page.screenshot({ path: process.argv[3] });
await browser.close();
`,
);
/** Reports the processor time of Node alone, and its largest resident set. */
const probe = join(folder, 'probe.mjs');
await writeFile(
  probe,
  `import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
process.on('exit', () => {
  if (!isMainThread) return;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(process.env.BENCH_PROBE, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, mb: maxRSS / 1024 }));
});
`,
);

const toEnd = async (child) => {
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`exit code ${code}`);
};
const toTools = async (child) => {
  const messages = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };
  send({ id: 1, method: 'initialize', params: client });
  await messages.next();
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  await messages.next();
};
const toStatus = async (child) => {
  for await (const line of createInterface({ input: child.stdout })) {
    const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (base === undefined) continue;
    if ((await fetch(`${base}/status`)).status !== 200) throw new Error('no status');
    return;
  }
};

const out = join(folder, 'one.png');
const url = site.url('tiny');
const JOBS = [
  { name: 'URL one.png', args: [url, out], until: toEnd, byHand: [script, url, out] },
  { name: 'help', args: ['help'], until: toEnd },
  { name: 'mcp to tools/list', args: ['mcp'], until: toTools },
  { name: 'server to /status', args: ['--server', '--server-bind-port', '0'], until: toStatus },
];

try {
  console.log(`median of ${rounds}; load average ${loadavg()[0].toFixed(1)}`);
  const rows = [];
  for (const job of JOBS) rows.push(...(await compare(job)));
  console.table(rows);
} finally {
  site.close();
  await rm(script);
  await rm(folder, { recursive: true, force: true });
}

async function compare({ name, args, until, byHand }) {
  const subjects = [
    ...Object.entries(PROGRAMS).map(([who, program]) => ({ who, command: [program, ...args] })),
    ...(byHand === undefined ? [] : [{ who: 'puppeteer', command: byHand }]),
  ].map((subject) => ({ ...subject, runs: [] }));
  // The first round fills the system's file cache.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { command, runs } of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const run = await measure(command, until);
      if (round > 0) runs.push(run);
    }
  }
  const middle = ({ runs }, part) => median(runs.map((run) => run[part]));
  const [ours, ...others] = subjects;
  return subjects.map((subject) => ({
    job: name,
    subject: subject.who,
    'wall ms': Math.round(middle(subject, 'wall')),
    'Node ms': Math.round(middle(subject, 'cpu')),
    MB: Math.round(middle(subject, 'mb')),
    ...(subject === ours
      ? Object.fromEntries(
          others.map((other) => [
            `to ${other.who}, wall; Node`,
            `${(middle(ours, 'wall') / middle(other, 'wall')).toFixed(2)}; ${(middle(ours, 'cpu') / middle(other, 'cpu')).toFixed(2)}`,
          ]),
        )
      : {}),
  }));
}

async function measure(command, until) {
  const report = join(folder, 'report.json');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', probe, ...command], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, BENCH_PROBE: report },
  });
  const ended = once(child, 'exit');
  await until(child);
  const wall = performance.now() - started;
  if (child.exitCode === null) child.kill('SIGTERM');
  await ended;
  const { cpu, mb } = JSON.parse(await readFile(report, 'utf8'));
  return { wall, cpu, mb };
}
