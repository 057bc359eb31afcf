import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { type Host, openHost } from './open-host.js';

const HEAVY_RENDERS = 3;
const TRIVIAL_RENDERS = 10;

let site: Site;
let host: Host;

const busyWorkers = (count: number) =>
  `<!doctype html><script>for (let n = 0; n < ${String(count)}; n++) new Worker(URL.createObjectURL(new Blob(['while (true);'])))</script>`;

beforeAll(async () => {
  site = await openSite({
    '/workers': busyWorkers(300),
    '/frames': () =>
      Array.from({ length: 20 }, (_, n) => `<iframe src="${site.url('/frame', `site-${String(n)}.localhost`)}"></iframe>`).join(''),
    '/frame': busyWorkers(20),
  });
  host = await openHost({ 'server-max-concurrency': 2, 'server-queue-requests': true });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Seconds that a render took, and how it ended: its status, or the code of its error. */
async function time(params: Readonly<Record<string, unknown>>): Promise<{ readonly seconds: number; readonly outcome: unknown }> {
  const start = performance.now();
  const { status, problem } = await host.render(params, { signal: AbortSignal.timeout(60_000) });
  return { seconds: (performance.now() - start) / 1000, outcome: problem?.['code'] ?? status };
}

test.each([
  ['300 busy workers', '/workers', 6],
  // Each of these renders starts 20 processes: more time, for a machine that does other things beside.
  ['20 cross-site iframes with 20 busy workers each', '/frames', 12],
])(
  'F16: beside a client that renders %s in a loop, trivial renders respond in time, and the browser stays',
  async (_what, path, seconds) => {
    await host.expectWell();
    const heavy: unknown[] = [];
    const loop = (async () => {
      while (heavy.length < HEAVY_RENDERS) heavy.push((await time({ url: site.url(path), timeout: 5 })).outcome);
    })();
    const trivial: { readonly seconds: number; readonly outcome: unknown }[] = [];
    while (trivial.length < TRIVIAL_RENDERS || heavy.length < HEAVY_RENDERS) {
      trivial.push(await time({ url: 'data:text/html,<h1>trivial', timeout: 20 }));
    }
    await loop;
    expect(trivial.filter((answer) => answer.outcome !== 200 || answer.seconds > seconds)).toEqual([]);
    expect(heavy.filter((outcome) => outcome !== 'render_timeout' && outcome !== 'page_too_heavy')).toEqual([]);
    expect(host.kernel.status().restarts).toBe(0);
  },
  120_000,
);
