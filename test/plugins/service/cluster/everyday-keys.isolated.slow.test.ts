import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProxy, type TestProxy } from '../../../helpers/proxy.js';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { packed, record } from '../../lib/archive/archive-files.js';
import { toDataUrl } from '../../page/web-bot-auth/keys.js';
import { type Answer, ask, askByJob, askByQuery, expectNoSecret, KEY, type Params, SECRETS } from './everyday-answers.js';
import { type RedisServer, startRedis } from './redis-server.js';

const LISTED = [1, 2, 3].map((item) => `<li><b>Item ${String(item)}</b> <i>1,00${String(item)}.50</i></li>`).join('');
const STORY = `<article><h1>Story</h1>${`<p>${'Words of the story, one after the other, to its end. '.repeat(15)}</p>`.repeat(4)}</article>`;
const page = (title: string, body: string) => `<!doctype html><title>${title}</title><link rel=stylesheet href=/a.css>${body}`;

const ARCHIVE = packed(
  record({ url: 'https://gone.test/', body: page('Gone', '<p>Archived') }),
  record({ url: 'https://gone.test/a.css', http: 'HTTP/1.1 200 OK\r\nContent-Type: text/css', body: 'p { color: red }' }),
);

let redis: RedisServer;
let proxy: TestProxy;
let site: Site;
let folder: string;
let alone: RunningServer;
let front: RunningServer;
let worker: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-everyday-'));
  redis = await startRedis();
  proxy = await openProxy({ credentials: `ada:${SECRETS.proxy}` });
  site = await openSite({
    '/': page('List', `<nav>Menu</nav><p id=cookies>Cookies?</p><ul>${LISTED}</ul><a href=/story>story</a> <a href=/login>login</a>`),
    '/story': page('Story', `<nav><a href=/>List</a></nav>${STORY}<footer>Imprint</footer>`),
    '/login': ({ headers, method }) =>
      method === 'POST'
        ? { status: 303, headers: { location: '/login', 'set-cookie': 'session=1' } }
        : page(
            'Login',
            headers.cookie === undefined ? '<form method=post><input type=password name=pass><button>Go</button></form>' : '<p>Hello, Ada',
          ),
    '/site.warc.gz': { headers: { 'content-type': 'application/warc' }, body: ARCHIVE },
    '/slow': page('Slow', '<p>Begun</p><img src=/never.png>'),
    '/never.png': () => undefined,
    '/a.css': {
      headers: { 'content-type': 'text/css' },
      body: 'nav { background: rgb(255, 0, 0) } body { margin: 0 } input { caret-color: transparent }',
    },
  });
  const env = { PLATEN_CLUSTER_QUEUE: redis.url };
  const start = (role: string, ...flags: readonly string[]) =>
    startServer(['--cluster-role', role, '--egress-allow-proxy', '--browser-concurrency', '2', ...flags], { env });
  [alone, front, worker] = await Promise.all([
    startServer(['--egress-allow-proxy', '--browser-concurrency', '2']),
    start('front', '--server-cache', join(folder, 'cache'), '--server-enable-jobs', join(folder, 'jobs')),
    start('worker'),
  ]);
});
afterAll(async () => {
  for (const each of [alone, front, worker, redis, proxy, site]) await each[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const STORED = 'platen; fwd=method; stored';
const UNSTORED = 'platen; fwd=method';
const BYPASSED = 'platen; fwd=bypass';

interface Row {
  readonly path?: string;
  readonly params: () => Params;
  readonly cache: typeof STORED | typeof UNSTORED | typeof BYPASSED;
  /** Of the answer: those that have no reader of their own are in base64. */
  readonly expected: Partial<Answer>;
}

const contains = (text: string) => expect.stringContaining(text) as string;
const dataUrlOf = (bytes: Buffer) => `data:application/gzip;base64,${bytes.toString('base64')}`;
const ofText = (text: string) => Buffer.from(text).toString('base64');
const LOGIN = { navigator_credential: { pass: SECRETS.login }, wait_for: 'load' };
const FILL = { fill: 'input', value: { credential: 'pass' } };

const ROWS: Readonly<Record<string, Row>> = {
  'pages of a PDF with margins, header and metadata': {
    path: '/story',
    params: () => ({
      output_type: 'pdf',
      pdf_format: 'a6',
      pdf_margin: '2cm',
      pdf_header: '<b class=title></b>',
      pdf_page_ranges: '2-',
      pdf_title: 'Mine',
    }),
    cache: STORED,
    expected: { type: 'application/pdf', body: expect.stringMatching(/^Title: +Mine\n[^]*298.08 x 420 pts[^]*Story/) as string },
  },
  'a PDF with a password': {
    params: () => ({ output_type: 'pdf', pdf_password: SECRETS.pdf }),
    cache: BYPASSED,
    expected: { body: expect.stringMatching(/Encrypted: +yes[^]*Item 1/) as string },
  },
  'a picture of low quality': {
    params: () => ({ output_type: 'jpg', image_quality: 20 }),
    cache: STORED,
    expected: { type: 'image/jpeg' },
  },
  'a transparent picture': { params: () => ({ image_transparent: true }), cache: STORED, expected: { type: 'image/png' } },
  'a part of the page': { params: () => ({ image_clip: '10,10,60,40' }), cache: STORED, expected: { type: 'image/png' } },
  'a login by steps, with HAR': {
    path: '/login',
    params: () => ({ ...LOGIN, output_type: 'txt', steps: [FILL, { click: 'button' }], with_har: true }),
    cache: BYPASSED,
    expected: { body: ofText('Hello, Ada\n'), assets: { har: contains('/login') } },
  },
  'a step that fails': {
    path: '/login',
    params: () => ({ ...LOGIN, output_type: 'txt', steps: [FILL, { hover: '#none' }], timeout: 8 }),
    cache: BYPASSED,
    expected: { status: 422, body: contains('"code":"step_failed"') },
  },
  'a cookie, a header and a signature': {
    path: '/login',
    params: () => ({
      output_type: 'txt',
      cookie: [`session=${SECRETS.cookie}`],
      header: [`Authorization: Bearer ${SECRETS.header}`],
      web_bot_auth: `https://bot.test=${toDataUrl(JSON.stringify(KEY.jwk))}`,
    }),
    cache: BYPASSED,
    expected: { body: ofText('Hello, Ada\n') },
  },
  'a click': { params: () => ({ output_type: 'txt', click_selector: ['text=story'] }), cache: BYPASSED, expected: { type: 'text/plain' } },
  'data by selectors': {
    params: () => ({ extract: { items: { selector: 'li', all: true, fields: { name: 'b', price: { selector: 'i', type: 'number' } } } } }),
    cache: STORED,
    expected: { type: 'application/json', body: expect.stringMatching(/"name": "Item 3",\s+"price": 1003.5/) as string },
  },
  'pages as JSON lines': {
    params: () => ({ output_type: 'jsonl', crawl_links: true, crawl_content: ['markdown', 'metadata'] }),
    cache: STORED,
    expected: {
      type: 'application/x-ndjson',
      body: expect.stringMatching(/"title":"List"[^]*"title":"Login"[^]*"title":"Story"/) as string,
    },
  },
  'several outputs': {
    params: () => ({ output_type: 'txt', with_output: ['png', 'markdown'] }),
    cache: STORED,
    expected: { assets: { png: expect.any(String) as string, markdown: expect.any(String) as string } },
  },
  'a style sheet and hidden elements': {
    params: () => ({ output_type: 'txt', css: 'ul { display: none }', hide_selector: ['#cookies'] }),
    cache: STORED,
    expected: { body: ofText('Menu\nstory login\n') },
  },
  'what has loaded in time': {
    path: '/slow',
    params: () => ({ output_type: 'txt', capture_on_timeout: true, timeout: 3 }),
    cache: UNSTORED,
    expected: { body: ofText('Begun\n'), timeout: 'wait' },
  },
  'the article alone': {
    path: '/story',
    params: () => ({ output_type: 'markdown', main_content: true }),
    cache: STORED,
    expected: { status: 200 },
  },
  'without its style sheet': { params: () => ({ block_url: ['*/a.css'] }), cache: STORED, expected: { type: 'image/png' } },
  'out of an archive': {
    params: () => ({ url: 'https://gone.test/', output_type: 'txt', replay: site.url('/site.warc.gz'), with_replay_report: true }),
    cache: BYPASSED,
    expected: { body: ofText('Archived\n'), assets: { replay_report: contains('"hits": 2') } },
  },
  'out of an archive in the request, with its image compared': {
    params: () => ({ url: 'https://gone.test/', replay: dataUrlOf(ARCHIVE), compare_url: 'https://gone.test/', with_comparison: true }),
    cache: BYPASSED,
    expected: { type: 'image/png', assets: { comparison: contains('"equal": true') } },
  },
  'what is not in the archive': {
    params: () => ({ url: 'https://gone.test/other', output_type: 'txt', replay: site.url('/site.warc.gz') }),
    cache: BYPASSED,
    expected: { status: 422, body: contains('"code":"not_in_archive"') },
  },
  'by a proxy': {
    params: () => ({ output_type: 'txt', proxy: `http://ada:${SECRETS.proxy}@127.0.0.1:${String(proxy.port)}` }),
    cache: BYPASSED,
    expected: { status: 200 },
  },
  'by a proxy that refuses': {
    params: () => ({ output_type: 'txt', proxy: `http://ada:${SECRETS.wrong}@127.0.0.1:${String(proxy.port)}` }),
    cache: BYPASSED,
    expected: { status: 502, body: contains('"code":"proxy_failed"') },
  },
};

/** A query string can hold them. */
const isFlat = (params: Params) => Object.values(params).every((value) => typeof value !== 'object' || Array.isArray(value));

it.each(Object.entries(ROWS))(
  '%s: the same alone, on a worker, again, by a job and from the cache',
  { timeout: 120_000 },
  async (_name, row) => {
    const params = { url: site.url(row.path ?? '/'), skip_robots_txt: true, ...row.params() };
    const [first] = await ask(alone, params);
    expect(first).toMatchObject({ status: 200, ...row.expected });
    expect(await ask(front, params)).toEqual([first, row.cache]);
    expect(await askByJob(front, params)).toEqual(first);
    expect(await ask(front, params)).toEqual([first, row.cache]);
    if (!isFlat(params) || 'proxy' in params || 'pdf_password' in params) return;
    const [answer, cache] = await askByQuery(front, params);
    expect(answer).toEqual(first);
    expect(cache).toMatch(
      row.cache === STORED ? /^platen; hit/ : row.cache === UNSTORED ? /^platen; fwd=uri-miss$/ : /^platen; fwd=bypass$/,
    );
  },
);

it('the secrets are nowhere: neither in Redis, nor in files, logs and the status', async () => {
  expectNoSecret(await readRedis(redis.url));
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) expectNoSecret((await readFile(join(file.parentPath, file.name))).toString('latin1'));
  }
  for (const { url, lines } of [alone, front, worker]) {
    expect(lines.length).toBeGreaterThan(Object.keys(ROWS).length);
    expectNoSecret(JSON.stringify(lines));
    expectNoSecret(await (await fetch(`${url}/status`)).text());
  }
});

/** Everything that a Redis holds, as text. */
async function readRedis(url: string): Promise<string> {
  const client = new Redis(url);
  try {
    await client.config('SET', 'rdbcompression', 'no');
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(0);
    const values = await Promise.all(keys.map(async (key) => [key, String(await client.dumpBuffer(key))]));
    return JSON.stringify(values);
  } finally {
    client.disconnect();
  }
}
