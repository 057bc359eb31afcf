import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openModelServer, type ModelServer } from '../../../helpers/model-server.js';
import { openNamespace } from '../../../helpers/network-namespace.js';
import { openProxy, type TestProxy } from '../../../helpers/proxy.js';
import { openSite, type Site } from '../../../helpers/site.js';

const PLATEN = join(import.meta.dirname, '../../../../server/bin/platen.mjs');

const namespace = openNamespace();
const missing = typeof namespace === 'string' ? namespace : undefined;
if (missing !== undefined) process.stderr.write(`skipped: no network namespace: ${missing}\n`);
const inside = () => {
  if (typeof namespace === 'string') throw new Error(namespace);
  return namespace;
};

/** What leaves a browser beside its connections: WebRTC, and names that links announce. */
const page = (names: string) => `<title>page</title><p>shown</p><a href=/next>next</a><img src=/picture><img src=/advert><script>
  const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:203.0.113.1:3478' }] });
  peer.createDataChannel('c');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
</script>${names}`;
const NAMES = '<link rel=dns-prefetch href=//prefetched.example><link rel=preconnect href=https://preconnected.example>';

let proxy: TestProxy;
let site: Site;
let model: ModelServer;
let folder: string;
let onHook: (body: string) => void = () => undefined;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'platen-namespace-'));
  proxy = await openProxy({ host: inside().gateway, names: { 'only.there': '127.0.0.1' } });
  model = await openModelServer('openai', () => ({ text: 'the model has read it' }));
  site = await openSite({
    '/robots.txt': 'User-agent: *\nDisallow: /secret',
    // Where names resolve here, those of a page are looked up.
    '/': ({ headers }) => page(headers.host?.startsWith('only.there') === true ? NAMES : ''),
    '/next': '<p>the next page',
    '/secret': '<p>secret',
    '/picture': 'no picture',
    '/advert': 'an advertisement',
    '/filters.txt': { headers: { 'content-type': 'text/plain' }, body: '/advert' },
    '/addresses.txt': { headers: { 'content-type': 'text/plain' }, body: '192.0.2.0/24' },
    '/sitemap.xml': ({ headers }) =>
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://${headers.host ?? ''}/next</loc></url></urlset>`,
    '/hook': async (incoming) => {
      onHook(await readText(incoming));
      return 'received';
    },
  });
});
afterAll(async () => {
  if (typeof namespace === 'string') return;
  for (const each of [proxy, site, model]) await each[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  namespace[Symbol.dispose]();
});

interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
type Client = (params: Readonly<Record<string, string>>, ask?: Ask) => Promise<{ readonly status: number; readonly text: string }>;

/** A server in the namespace, which listens at a Unix socket: that is the same in each. */
async function startServer(name: string, flags: readonly string[], environment: Readonly<Record<string, string>>) {
  const socketPath = join(folder, `${name}.sock`);
  const common = ['--server', '--server-bind-address', socketPath, '--server-enable-jobs', join(folder, name)];
  const child = inside().start([process.execPath, PLATEN, ...common, ...flags], environment);
  const ended = once(child, 'exit');
  const listening = new Promise<void>((resolve, reject) => {
    if (child.stdout !== null)
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes('"msg":"listening"')) resolve();
      });
    void ended.then(() => {
      reject(new Error('the server ended'));
    });
  });
  listening.catch(() => undefined);
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  };
  await listening;
  const client: Client = async (params, { method = 'GET', headers = {} } = {}) => {
    const asked = request({
      socketPath,
      path: `/?${new URLSearchParams(params).toString()}`,
      method,
      headers: { host: 'localhost', ...headers },
    });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, text: await readText(response) };
  };
  return { client, stop };
}

const listFlags = (host: string) => ['--adblock-rules', site.url('/filters.txt', host), '--ip-blocklist', site.url('/addresses.txt', host)];
const serviceFlags = (host: string) => [
  ...[
    '--llm-format-model',
    model.connection({ options: '&tls=false' }).replace('127.0.0.1', host),
    '--server-webhook-url',
    site.url('/hook', host),
  ],
];

/** What was asked of the site. */
const loaded = () => site.requests.map(({ url }) => url);

/** Every way out of the server: what it does, and the paths of the site that this needs. */
const WAYS: readonly (readonly [name: string, paths: readonly string[], run: (client: Client, host: string) => Promise<void>])[] = [
  [
    'a page with what it loads, under a filter list',
    ['/robots.txt', '/', '/picture'],
    async (client, host) => {
      expect(await client({ url: site.url('/', host), output_type: 'txt' })).toMatchObject({
        status: 200,
        text: expect.stringContaining('shown'),
      });
      expect(loaded()).not.toContain('/advert');
    },
  ],
  [
    'robots.txt, which disallows a page',
    [],
    async (client, host) => {
      const { status, text } = await client({ url: site.url('/secret', host), output_type: 'txt' });
      expect([status, text]).toEqual([403, expect.stringContaining('robots_disallowed')]);
      expect(loaded()).not.toContain('/secret');
    },
  ],
  [
    'a list of addresses',
    [],
    async (client) => {
      const { status, text } = await client({ url: 'http://192.0.2.7/', output_type: 'txt' });
      expect([status, text]).toEqual([403, expect.stringContaining('--ip-blocklist')]);
    },
  ],
  [
    'a sitemap and its pages',
    ['/sitemap.xml', '/next'],
    async (client, host) => {
      const { text } = await client({ url: site.url('/sitemap.xml', host), crawl_url_is_sitemap: 'xml', output_type: 'jsonl' });
      expect(text).toContain('the next page');
    },
  ],
  [
    'a crawl',
    ['/', '/next'],
    async (client, host) => {
      const { text } = await client({ url: site.url('/', host), crawl_links: 'true', output_type: 'jsonl' });
      expect(text.trim().split('\n').length).toBe(2);
    },
  ],
  [
    'a language model',
    ['/next'],
    async (client, host) => {
      const before = model.seen.length;
      const { text } = await client({ url: site.url('/next', host), output_type: 'llm_text', llm_format_prompt: 'What does it say?' });
      expect(text).toContain('the model has read it');
      expect(model.seen.length).toBe(before + 1);
    },
  ],
  [
    'a webhook',
    ['/next', '/hook'],
    async (client, host) => {
      const told = new Promise<string>((resolve) => {
        onHook = resolve;
      });
      expect((await client({ url: site.url('/next', host) }, { headers: { prefer: 'respond-async' } })).status).toBe(202);
      expect(await told).toContain('"type":"job.done"');
    },
  ],
];

describe.skipIf(missing !== undefined)('where the proxy is the only way out', () => {
  const render = async (url: string, file: string, args: readonly string[] = [], environment = {}) => {
    await inside().run([process.execPath, PLATEN, url, join(folder, file), ...args], environment);
    return (await readFile(join(folder, file))).toString();
  };

  it('nothing works without it, and what leaves is counted', async () => {
    await expect(render(site.url('/'), 'none.txt')).rejects.toMatchObject({
      stderr: expect.stringContaining('target could not be reached'),
    });
    const leaks = inside().countLeaks();
    await inside().run(['bash', '-c', 'echo > /dev/udp/203.0.113.1/53']);
    expect(inside().countLeaks()).toBe(leaks + 1);
  });

  it('a single render works by HTTP_PROXY', async () => {
    const variables = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '' };
    expect(await render(site.url('/next', 'localhost'), 'page.txt', [], variables)).toContain('the next page');
  });

  describe.each<[how: string, host: string, flags: readonly string[]]>([
    ['HTTP_PROXY and HTTPS_PROXY alone, where names resolve here', 'localhost', []],
    ['--egress-proxy-resolves, where they do not', 'only.there', ['--egress-proxy-resolves']],
  ])('by %s', (_how, host, flags) => {
    let server: Awaited<ReturnType<typeof startServer>>;
    let leaks: number;
    const authority = (port: number) => `${host === 'localhost' ? '127.0.0.1' : host}:${String(port)}`;
    beforeAll(async () => {
      proxy.forget();
      leaks = inside().countLeaks();
      const variables = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '' };
      server = await startServer(host, [...listFlags(host), ...serviceFlags(host), ...flags], variables);
    });
    afterAll(() => server.stop());

    it('the lists of the start', () => {
      expect(loaded()).toEqual(expect.arrayContaining(['/filters.txt', '/addresses.txt']));
      expect(new Set(proxy.asked)).toEqual(new Set([authority(site.port)]));
    });

    it.each(WAYS)('%s', async (_name, paths, run) => {
      const before = site.requests.length;
      await run(server.client, host);
      expect(loaded().slice(before)).toEqual(expect.arrayContaining([...paths]));
    });

    it('everything asked the proxy, and no packet went elsewhere', () => {
      expect(new Set(proxy.asked)).toEqual(new Set([authority(site.port), authority(model.port)]));
      expect(inside().countLeaks()).toBe(leaks);
    });
  });

  it('with --block-private-ips, only what flags of the operator name may have a private address', async () => {
    const flags = ['--block-private-ips', '--egress-proxy', proxy.url];
    const { client, stop } = await startServer('private', [...serviceFlags('localhost'), ...flags], {});
    onTestFinished(stop);
    const before = site.requests.length;
    const leaks = inside().countLeaks();
    proxy.forget();
    for (const params of [
      {},
      { crawl_links: 'true', output_type: 'jsonl' },
      { crawl_url_is_sitemap: 'xml', output_type: 'jsonl' },
      { output_type: 'llm_text', llm_format_prompt: 'What?' },
      { output_type: 'download' },
    ]) {
      const { status, text } = await client({ url: site.url('/sitemap.xml', 'localhost'), ...params });
      expect([status, text]).toEqual([403, expect.stringContaining('loopback address (--block-private-ips)')]);
    }
    const hooked = { prefer: 'respond-async', 'webhook-url': site.url('/hook') };
    const job = await client({ url: 'data:text/html,x' }, { headers: hooked });
    expect(job.status).toBe(202);
    expect(await client({ url: 'data:text/html,<p>x', output_type: 'llm_text', llm_format_prompt: 'What?' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('the model has read it'),
    });
    expect(site.requests.length).toBe(before);
    expect(proxy.asked).toEqual([`127.0.0.1:${String(model.port)}`]);
    expect(inside().countLeaks()).toBe(leaks);
  });
});
