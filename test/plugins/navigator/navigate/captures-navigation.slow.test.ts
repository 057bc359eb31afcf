import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import walk from '../../../../plugins/capture/walk/src/index.js';
import pprof from '../../../../plugins/output/pprof/src/index.js';
import trace from '../../../../plugins/output/trace/src/index.js';
import wacz from '../../../../plugins/output/wacz/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import { done, type ScriptedAction, type ShownPage, type Turn } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { readRecords } from '../../lib/warc/archive-fixture.js';
import { listTop } from '../../output/pprof/go-pprof.js';
import { readTrace } from '../../output/trace/read-trace.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

/** A page that loads data, and works and retains memory in functions of this name. */
const page = (name: string, body = '') => `<!doctype html><title>${name}</title><h1>${name}</h1>${body}
  <script>function burn_${name}() { for (const end = performance.now() + 100; performance.now() < end;); }
    function keep_${name}() { globalThis.kept = Array.from({ length: 100_000 }, (_, at) => [at, at]); }
    burn_${name}(); keep_${name}(); fetch('/data?${name}');</script>`;

let site: Site;
let other: Site;
let host: NavigatorHost;
beforeAll(async () => {
  other = await openSite({ '/abroad': page('abroad'), '/data': '{}' });
  site = await openSite({
    '/': page('first', '<a href="/moved">Next</a>'),
    '/moved': { status: 302, headers: { location: '/second' } },
    '/second': () =>
      page(
        'second',
        `<form method="post" action="/third"><label>Q <input name="q"></label><button>Send</button></form>
         <a href="/popup" target="_blank">Near</a><a href="/popup" target="_blank" rel="opener">Child</a><a href="${other.url('/abroad', 'localhost')}" target="_blank" rel="opener">Far</a>`,
      ),
    '/third': page('third'),
    '/popup': { status: 302, headers: { location: '/popped' } },
    '/popped': page('popped', '<a href="/last">Go on</a>'),
    '/last': page('last'),
    '/data': '{}',
  });
  host = openNavigatorHost({}, [walk, warc, wacz, trace, pprof]);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const click =
  (role: string, name: string): Turn =>
  ({ ref }) => [{ kind: 'click', ref: ref(role, name) }];
const send: Turn = ({ ref }: ShownPage): readonly ScriptedAction[] => [
  { kind: 'fill', ref: ref('textbox', 'Q'), value: 'chairs' },
  { kind: 'click', ref: ref('button', 'Send') },
];

/** The turns of a navigation, and what its final page requests, and the whole session. */
interface Route {
  readonly turns: readonly Turn[];
  readonly last: readonly string[];
  readonly all: readonly string[];
  readonly pages: readonly string[];
  /** That are read beside another output. */
  readonly types: readonly (readonly string[])[];
}

const EMPTY: Route = { turns: [], last: [], all: [], pages: [], types: [] };
const ARCHIVES = ['har', 'warc'];

const START = ['/', '/data?first', '/moved', '/second', '/data?second'];
const ROUTES: Readonly<Record<string, Route>> = {
  'three pages': {
    turns: [click('link', 'Next'), send],
    last: ['/third', '/data?third'],
    all: [...START, '/third', '/data?third'],
    pages: ['first', 'second', 'third'],
    types: [ARCHIVES, ['trace'], ['pprof_cpu']],
  },
  'a popup in the process of its opener': {
    turns: [click('link', 'Next'), click('link', 'Child')],
    last: ['/popup', '/popped', '/data?popped'],
    all: [...START, '/popup', '/popped', '/data?popped'],
    pages: ['first', 'second', 'popped'],
    types: [ARCHIVES, ['pprof_cpu']],
  },
  'a popup that went on': {
    turns: [click('link', 'Next'), click('link', 'Near'), click('link', 'Go on')],
    last: ['/last', '/data?last'],
    all: [...START, '/popup', '/popped', '/data?popped', '/last', '/data?last'],
    pages: ['first', 'second', 'popped', 'last'],
    types: [ARCHIVES],
  },
  'a popup of another site': {
    turns: [click('link', 'Next'), click('link', 'Far')],
    last: ['/abroad', '/data?abroad'],
    all: [...START, '/abroad', '/data?abroad'],
    pages: ['first', 'second', 'abroad'],
    types: [ARCHIVES, ['trace'], ['pprof_cpu']],
  },
  'a popup that was closed': {
    turns: [click('link', 'Next'), click('link', 'Near'), () => [{ kind: 'tab', tab: 't2', close: true }]],
    last: ['/moved', '/second', '/data?second', '/popup', '/popped', '/data?popped'],
    all: [...START, '/popup', '/popped', '/data?popped'],
    pages: ['first', 'second'],
    // Work of the popup while the final page is shown is in its trace.
    types: [ARCHIVES],
  },
};

type Params = Readonly<Record<string, unknown>>;

async function lead({ turns }: Route, params: Params) {
  const scope = { navigator_allow_url: [other.url('/*', 'localhost')] };
  const result = await host.navigate([...turns, () => [done()]], { url: site.url('/'), ...scope, ...params });
  expect(result.error).toBeUndefined();
  return result;
}

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

interface Content {
  readonly pages: readonly string[];
  /** Undefined for files that have none. */
  readonly urls?: readonly string[];
}

interface CpuChunk {
  readonly nodes?: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  readonly samples?: readonly number[];
}

interface Har {
  readonly log: {
    readonly pages: readonly { readonly title: string }[];
    readonly entries: readonly { readonly request: { readonly url: string } }[];
  };
}

const READERS: Readonly<Record<string, (bytes: Buffer) => Promise<Content>>> = {
  har(bytes) {
    // Written by the plugin.
    const { log } = JSON.parse(bytes.toString()) as Har;
    return Promise.resolve({ pages: log.pages.map(({ title }) => title), urls: log.entries.map(({ request }) => pathOf(request.url)) });
  },
  async warc(bytes) {
    const records = await readRecords(bytes);
    const uris = (types: readonly string[]) =>
      records.flatMap((record) => (types.includes(record.type) ? [record.field('WARC-Target-URI') ?? ''] : []));
    const pages = uris(['resource']).map((uri) => pathOf(uri.replace('urn:pageinfo:', '')).slice(1));
    return { pages: pages.map((path) => (path === '' ? 'first' : path)), urls: uris(['response', 'revisit']).map(pathOf) };
  },
  async trace(bytes) {
    const { events } = await readTrace(bytes);
    const chunks = events.flatMap(({ pid, name, args, ...event }) => {
      // Trace Event Format, with the members that V8 adds.
      const { id } = event as { readonly id?: string };
      const { data } = args as { readonly data?: { readonly cpuProfile?: CpuChunk } };
      return name === 'ProfileChunk' ? [{ profile: `${String(pid)}:${id ?? ''}`, ...data?.cpuProfile }] : [];
    });
    const nodes = new Map(
      chunks.flatMap(({ profile, nodes: added = [] }) =>
        added.map(({ id, callFrame }) => [`${profile}:${String(id)}`, callFrame.functionName]),
      ),
    );
    const sampled = chunks.flatMap(({ profile, samples = [] }) => samples.map((id) => nodes.get(`${profile}:${String(id)}`) ?? ''));
    return { pages: [...new Set(sampled.flatMap((name) => (name.startsWith('burn_') ? [name.slice(5)] : [])))] };
  },
  pprof_cpu: (bytes) => namesIn(bytes, 'ms'),
  pprof_memory: (bytes) => namesIn(bytes, 'B'),
};

/** The pages whose functions took time or memory. */
async function namesIn(bytes: Buffer, unit: 'ms' | 'B'): Promise<Content> {
  const top = await listTop(bytes, { unit });
  const names = top.flatMap(({ place, cumulative }) => (cumulative > 50 ? (/^(?:burn|keep)_(\w+)/.exec(place)?.[1] ?? []) : []));
  return { pages: [...new Set(names)] };
}

const capturing = (whole: boolean): Params => ({
  ...{ har_captures_navigation: whole, warc_captures_navigation: whole },
  ...{ trace_captures_navigation: whole, trace_no_screenshots: true, pprof_captures_navigation: whole },
});

async function expectContent(type: string, bytes: Buffer, { pages, urls }: Required<Content>): Promise<void> {
  const content = await READERS[type]?.(bytes);
  expect([...(content?.pages ?? [])].sort(), type).toEqual([...pages].sort());
  if (content?.urls) expect([...content.urls].sort(), type).toEqual([...urls].sort());
}

const contentOf = ({ last, all, pages }: Route, whole: boolean): Required<Content> =>
  whole ? { pages, urls: all } : { pages: pages.slice(-1), urls: last };

describe.each(Object.entries(ROUTES))('%s', (_name, route) => {
  const cases = route.types.flatMap((some) => [false, true].map((whole) => [some.join(' and '), whole, some] as const));
  it.each(cases)('%s beside another output, captures_navigation=%s', async (_types, whole, some) => {
    const { assets } = await lead(route, { ...capturing(whole), ...Object.fromEntries(some.map((type) => [`with_${type}`, true])) });
    for (const type of some) await expectContent(type, assets[type] ?? Buffer.alloc(0), contentOf(route, whole));
  });
});

describe.each([false, true])('as the output, captures_navigation=%s', (whole) => {
  it.each(Object.keys(READERS))('%s', async (output_type) => {
    // Popups are profiled in their next task, which may come after their first script.
    const route = ROUTES[output_type === 'pprof_memory' ? 'three pages' : 'a popup that went on'];
    if (route === undefined) throw new Error('there is no such route');
    const { bytes } = await lead(route, { ...capturing(whole), output_type });
    await expectContent(output_type, bytes, contentOf(route, whole));
  });
});

it('pprof_memory of a popup with its own process has no page of another', async () => {
  const { turns } = ROUTES['a popup of another site'] ?? { turns: [] };
  const opener = await lead({ ...EMPTY, turns: turns.slice(0, 1) }, { output_type: 'pprof_memory' });
  expect((await READERS['pprof_memory']?.(opener.bytes))?.pages).toEqual(['second']);
  const popup = await lead({ ...EMPTY, turns }, { output_type: 'pprof_memory' });
  expect((await READERS['pprof_memory']?.(popup.bytes))?.pages).not.toContain('second');
});
