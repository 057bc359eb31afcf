import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProber, type Prober } from '../plugins/page/probe.js';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';

/** Renders at once, each with parameters of its own. */
const RENDERS = 8;

/** What a page finds where no render may have left anything; then it leaves something everywhere. */
const VISIT = `
async function visit(mark) {
  const opened = await indexedDB.databases();
  const found = {
    cookie: document.cookie, local: { ...localStorage }, session: { ...sessionStorage }, name: window.name,
    databases: opened.map(({ name }) => name), caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  };
  document.cookie = 'left=' + mark;
  localStorage.left = sessionStorage.left = window.name = mark;
  await new Promise((resolve) => (indexedDB.open(mark).onsuccess = resolve));
  await (await caches.open(mark)).put('/kept', new Response(mark));
  await navigator.serviceWorker.register('/worker.js');
  return found;
}`;

/** What the page knows of the browser and what its requests carry, asked for while all renders are there. */
const ECHO = `<!doctype html><script>${VISIT}
  const token = new URL(location).searchParams.get('token');
  async function tell() {
    const { headers } = await (await fetch('/together')).json();
    return {
      width: innerWidth, height: innerHeight, scale: devicePixelRatio, agent: navigator.userAgent, languages: navigator.languages.join(),
      platform: navigator.platform, cores: navigator.hardwareConcurrency, memory: navigator.deviceMemory, touch: navigator.maxTouchPoints,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone, dark: matchMedia('(prefers-color-scheme: dark)').matches,
      print: matchMedia('print').matches, injected: document.documentElement.dataset.injected ?? null,
      cookie: headers.cookie ?? '', own: headers['x-own'] ?? null, found: await visit(token),
    };
  }
  Object.defineProperty(window, 'report', { get: tell });
</script>`;

let site: Site;
let prober: Prober;
/** Those who have come to the meeting, answered once all are there. */
let meeting: (() => void)[] = [];

beforeAll(async () => {
  const kept = { 'cache-control': 'max-age=100000' };
  site = await openSite({
    '/echo': { headers: kept, body: ECHO },
    '/together': async ({ headers }) => {
      await new Promise<void>((resolve) => {
        meeting.push(resolve);
        if (meeting.length < RENDERS) return;
        for (const go of meeting) go();
        meeting = [];
      });
      return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ headers }) };
    },
    '/alone': {
      headers: kept,
      body: `<!doctype html><script src="/kept.js"></script><script>${VISIT} window.report = visit('alone')</script>`,
    },
    '/kept.js': { headers: { ...kept, 'content-type': 'text/javascript' }, body: '' },
    '/worker.js': {
      headers: { 'content-type': 'text/javascript' },
      body: `onfetch = (event) => event.respondWith(new Response('of another render'))`,
    },
    '/secret': ({ headers: { authorization } }) =>
      authorization === undefined ? { status: 401, headers: { 'www-authenticate': 'Basic realm="secret"' }, body: 'who?' } : 'welcome',
  });
  prober = openProber({ flags: { 'browser-concurrency': RENDERS } });
});

afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const NOTHING = { cookie: '', local: {}, session: {}, name: '', databases: [], caches: [], workers: 0 };

/** What each key makes of the page's report. */
const KEYS = {
  browser_width: [fc.integer({ min: 300, max: 1500 }), 'width'],
  browser_height: [fc.integer({ min: 300, max: 1200 }), 'height'],
  device_scale_factor: [fc.constantFrom(0.5, 1.5, 2, 3), 'scale'],
  user_agent: [fc.stringMatching(/^Agent\/[0-9]{1,6}$/), 'agent'],
  accept_language: [fc.constantFrom('de', 'fr-CH,fr', 'ja', 'pt-BR,pt,en'), 'languages'],
  platform: [fc.constantFrom('Win32', 'MacIntel', 'Linux x86_64'), 'platform'],
  emulate_hardware_concurrency: [fc.integer({ min: 1, max: 64 }), 'cores'],
  emulate_memory: [fc.constantFrom(1, 2, 4, 8), 'memory'],
  emulate_touch_points: [fc.integer({ min: 1, max: 16 }), 'touch'],
  emulate_timezone: [fc.constantFrom('Asia/Tokyo', 'Pacific/Chatham', 'America/Lima'), 'zone'],
  emulate_dark_mode: [fc.constant(true), 'dark'],
  emulate_media: [fc.constant('print'), 'print'],
} as const;

type Chosen = Readonly<Record<string, string | number | boolean | undefined>>;

const chosen: fc.Arbitrary<Chosen> = fc.record(
  Object.fromEntries(Object.entries(KEYS).map(([key, [values]]): [string, fc.Arbitrary<string | number | boolean>] => [key, values])),
  { requiredKeys: [] },
);

/** The report that these parameters must lead to, beside what is everybody's. */
function expected(params: Chosen, token: string) {
  const told = Object.entries(KEYS).flatMap(([key, [, name]]) =>
    params[key] === undefined ? [] : [[name, key === 'emulate_media' ? true : params[key]]],
  );
  return { ...(Object.fromEntries(told) as object), injected: token, cookie: `own=${token}`, own: token, found: NOTHING };
}

async function echo(params: Chosen, token: string) {
  const own = {
    cookie: [`own=${token}; HttpOnly`],
    header: [`X-Own: ${token}`],
    javascript: `document.documentElement.dataset.injected = '${token}'`,
  };
  return (await prober.probe({ url: site.url(`/echo?token=${token}`), ...params, ...own })).report;
}

test('L2: of eight renders side by side each sees what it was given, and nothing of the others', async () => {
  let turn = 0;
  const together = (all: readonly Chosen[]) => Promise.all(all.map((params, index) => echo(params, `t${String(turn)}n${String(index)}`)));
  // What a render finds that was given nothing but its mark.
  const [plain] = await together(Array.from({ length: RENDERS }, () => ({})));
  await fc.assert(
    fc.asyncProperty(fc.array(chosen, { minLength: RENDERS, maxLength: RENDERS }), async (all) => {
      turn += 1;
      const reports = await together(all);
      for (const [index, params] of all.entries())
        expect(reports[index]).toEqual({ ...plain, ...expected(params, `t${String(turn)}n${String(index)}`) });
    }),
    { numRuns: 4, endOnFailure: true },
  );
}, 120_000);

test('L1: storages of every kind are empty twice, and each render asks the site itself', async () => {
  const asked = (path: string) => site.requests.filter(({ url }) => url === path).length;
  const before = [asked('/alone'), asked('/kept.js')];
  for (let turn = 0; turn < 2; turn++) {
    const { report, html } = await prober.probe({ url: site.url('/alone') });
    expect(report).toEqual(NOTHING);
    expect(html).not.toContain('of another render');
  }
  expect([asked('/alone'), asked('/kept.js')].map((count, index) => count - (before[index] ?? 0))).toEqual([2, 2]);
});

test('L1: a password that one render brought is not known to the next', async () => {
  const withPassword = site.url('/secret').replace('://', '://user:pass@');
  expect((await prober.probe({ url: withPassword })).html).toContain('welcome');
  expect((await prober.probe({ url: site.url('/secret'), fail: false })).html).toContain('who?');
});

test('L1: a permission that one render has is not the next one’s', async () => {
  const page = site.url('/alone');
  const javascript = `window.report = navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`;
  expect((await prober.probe({ url: page, emulate_geolocation: 'geo:1,2', javascript })).report).toBe('granted');
  expect((await prober.probe({ url: page, javascript })).report).not.toBe('granted');
  await until(() => prober.host.kernel.status().busy === 0);
});
