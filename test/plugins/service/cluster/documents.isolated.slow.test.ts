import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProxy, type TestProxy } from '../../../helpers/proxy.js';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import type { ShownJob } from '../jobs/jobs-server.js';
import { type RedisServer, startRedis } from './redis-server.js';

let redis: RedisServer;
let proxy: TestProxy;
let site: Site;
let folder: string;
let front: RunningServer;
let workers: readonly RunningServer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-documents-'));
  redis = await startRedis();
  proxy = await openProxy();
  site = await openSite({ '/': '<p>the site' });
  const start = (role: string, ...flags: readonly string[]) =>
    startServer(['--cluster-role', role, '--egress-allow-proxy', ...flags], { env: { PLATEN_CLUSTER_QUEUE: redis.url } });
  front = await start('front', '--server-cache', join(folder, 'cache'), '--server-enable-jobs', join(folder, 'jobs'));
  workers = await Promise.all([start('worker', '--browser-concurrency', '1'), start('worker', '--browser-concurrency', '1')]);
});
afterAll(async () => {
  for (const each of [front, ...workers, redis, proxy, site]) await each[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Of the cache. */
  readonly cached?: string | null;
}
type Params = Readonly<Record<string, unknown>>;

async function post(params: Params, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const body = JSON.stringify({ output_type: 'txt', skip_robots_txt: true, ...params });
  return fetch(front.url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

async function readAnswer(response: Response): Promise<Answer> {
  return { status: response.status, text: (await response.text()).trim(), cached: response.headers.get('cache-status') };
}

async function byJob(params: Params): Promise<Answer> {
  const submitted = await post(params, { prefer: 'respond-async' });
  if (submitted.status !== 202) return readAnswer(submitted);
  const path = submitted.headers.get('location') ?? '';
  const job = (await (await fetch(front.url + path, { headers: { prefer: 'wait=60' } })).json()) as ShownJob;
  return readAnswer(await fetch(front.url + (job.output?.url ?? '')));
}

const data = (text: string) => `data:text/html,${encodeURIComponent(text)}`;
const styled = (text: string) => ({
  'index.html': data(`<link rel=stylesheet href=a.css><i>hidden</i><p>${text}`),
  'a.css': 'data:text/css,i{display:none}',
});

const CASES: readonly (readonly [name: string, params: () => Params, text: string, isCached: boolean])[] = [
  ['a page with its style sheet', () => ({ upload: styled('one') }), 'one', true],
  ['another page of the same name', () => ({ upload: styled('two') }), 'two', true],
  [
    'another style sheet of the same page',
    () => ({ upload: { ...styled('one'), 'a.css': 'data:text/css,p{display:none}' } }),
    'hidden',
    true,
  ],
  ['a style sheet that is blocked by type', () => ({ upload: styled('one'), block_resource_type: ['stylesheet'] }), 'hidden\n\none', true],
  ['a style sheet that is blocked by URL', () => ({ upload: styled('one'), block_url: ['*.css'] }), 'hidden\n\none', true],
  ['HTML', () => ({ html: '<p>three' }), 'three', true],
  ['HTML at the URL of a site', () => ({ html: '<p>four', url: site.url('/') }), 'four', true],
  ['the site itself', () => ({ url: site.url('/') }), 'the site', true],
  ['the site by a proxy', () => ({ url: site.url('/'), proxy: proxy.url }), 'the site', false],
];

it.each<[way: string, ask: (params: Params) => Promise<Answer>]>([
  ['a response', async (params) => readAnswer(await post(params))],
  ['a job', byJob],
])('all at once, twice: each has its own documents, in %s', { timeout: 120_000 }, async (way, ask) => {
  proxy.forget();
  const askAll = () => Promise.all(CASES.map(([, params]) => ask(params())));
  const [first, second] = [await askAll(), await askAll()];
  const expected = CASES.map(([, , text]) => ({ status: 200, text }));
  expect([first, second]).toMatchObject([expected, expected]);
  expect(proxy.asked.length).toBeGreaterThan(1);
  // The cache stores the result of each body, and never serves one.
  const statuses = CASES.map(([, , , isCached]) => (isCached ? 'platen; fwd=method; stored' : 'platen; fwd=bypass'));
  if (way === 'a response') expect(second.map(({ cached }) => cached)).toEqual(statuses);
});

it('a query has the result of the site from the cache, not that of HTML at its URL or of a proxy', async () => {
  const query = new URLSearchParams({ output_type: 'txt', skip_robots_txt: 'true', url: site.url('/') });
  const answer = await readAnswer(await fetch(`${front.url}/?${query.toString()}`));
  expect(answer).toMatchObject({ status: 200, text: 'the site', cached: expect.stringContaining('; hit') as string });
});

it('a request that is too large for the queue is rendered by the front', async () => {
  const countRenders = () => workers.flatMap(({ lines }) => lines.filter(({ endpoint }) => endpoint === 'cluster')).length;
  const before = countRenders();
  const upload = { 'index.html': data('<p>large'), 'more.txt': `data:text/plain,${'x'.repeat(60_000_000)}` };
  expect(await readAnswer(await post({ upload }))).toMatchObject({ status: 200, text: 'large' });
  expect(countRenders()).toBe(before);
});

it('both workers have taken part', () => {
  for (const { lines } of workers) expect(lines.filter(({ endpoint }) => endpoint === 'cluster').length).toBeGreaterThan(0);
});
