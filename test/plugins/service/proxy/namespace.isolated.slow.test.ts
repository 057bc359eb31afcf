import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProxy, type TestProxy } from '../../../helpers/proxy.js';
import { openSite, type Site } from '../../../helpers/site.js';

const PLATEN = join(import.meta.dirname, '../../../../server/bin/platen.mjs');
const NAMESPACE = `platen-${String(process.pid)}`;
const [OUTSIDE, INSIDE] = [`pl${String(process.pid)}o`, `pl${String(process.pid)}i`];
/** Of benchmarks (RFC 2544), which few networks use. */
const [GATEWAY, ADDRESS] = ['198.18.231.1', '198.18.231.2'];

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

/** A network namespace with a way to one address of this machine, where the proxy listens. Undefined: it could be made. */
function makeNamespace(): string | undefined {
  try {
    ip('netns', 'add', NAMESPACE);
    ip('link', 'add', OUTSIDE, 'type', 'veth', 'peer', 'name', INSIDE, 'netns', NAMESPACE);
    ip('address', 'add', `${GATEWAY}/30`, 'dev', OUTSIDE);
    ip('link', 'set', OUTSIDE, 'up');
    for (const args of [
      ['address', 'add', `${ADDRESS}/30`, 'dev', INSIDE],
      ['link', 'set', INSIDE, 'up'],
      ['link', 'set', 'lo', 'up'],
    ])
      ip('-n', NAMESPACE, ...args);
    // What leaves beside the proxy is sent, and counted.
    ip('-n', NAMESPACE, 'route', 'add', 'default', 'via', GATEWAY);
    return undefined;
  } catch (error) {
    return String(error).split('\n')[0];
  }
}

const missing = process.platform === 'linux' && process.getuid?.() === 0 ? makeNamespace() : 'this needs Linux and root';
if (missing !== undefined) process.stderr.write(`skipped: no network namespace: ${missing}\n`);

let proxy: TestProxy;
let site: Site;
let folder: string;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'platen-namespace-'));
  proxy = await openProxy({ host: GATEWAY, names: { 'only.there': '127.0.0.1' } });
  site = await openSite({
    '/robots.txt': 'User-agent: *\nAllow: /',
    '/': `<title>page</title><p>shown</p><img src=/picture><script>
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:203.0.113.1:3478' }] });
      peer.createDataChannel('c');
      peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    </script><link rel=dns-prefetch href=//prefetched.example><link rel=preconnect href=https://preconnected.example>`,
    '/picture': 'no picture',
    '/sitemap.xml': () => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url('/')}</loc></url></urlset>`,
  });
});
afterAll(async () => {
  if (missing === undefined) {
    await proxy[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
  try {
    ip('netns', 'delete', NAMESPACE);
  } catch {
    // It was not made.
  }
});

const inside = async (command: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)('ip', ['netns', 'exec', NAMESPACE, ...command], { env: { ...process.env, ...environment } });

async function countDatagrams(): Promise<number> {
  const { stdout } = await inside(['cat', '/proc/net/snmp']);
  return Number(/^Udp: \d+ \d+ \d+ (\d+)/m.exec(stdout)?.[1]);
}

describe.skipIf(missing !== undefined)('where the proxy is the only way out', () => {
  const render = async (url: string, file: string, args: readonly string[] = [], environment = {}) => {
    await inside([process.execPath, PLATEN, url, join(folder, file), ...args], environment);
    return readFile(join(folder, file));
  };

  it('nothing works without it', async () => {
    await expect(render(site.url('/'), 'none.txt')).rejects.toMatchObject({
      stderr: expect.stringContaining('target could not be reached'),
    });
  });

  it.each([
    ['HTTP_PROXY, where names resolve here', 'localhost', []],
    ['--egress-proxy-resolves, where they do not', 'only.there', ['--egress-proxy-resolves']],
  ])('pages and robots.txt work by %s; no datagram leaves', async (_name, host, args) => {
    proxy.forget();
    const before = await countDatagrams();
    const text = await render(site.url('/', host), 'page.txt', args, { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: '' });
    expect(text.toString()).toContain('shown');
    expect(proxy.asked.length).toBeGreaterThan(1);
    // The page's links to other hosts are names: where names resolve here, they are looked up.
    if (host === 'only.there') expect(await countDatagrams()).toBe(before);
  });

  it('a sitemap and its pages do, too', async () => {
    const args = ['--crawl-url-is-sitemap', 'xml', '--egress-proxy', proxy.url];
    const archive = await render(site.url('/sitemap.xml'), 'pages.warc', args);
    expect(gunzipSync(archive).toString('latin1')).toContain('<p>shown</p>');
  });
});
