import { readFile, readlink, readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { openSite, type Site } from '../helpers/site.js';
import { listDescendants } from './process-tree.js';

let site: Site;
let server: RunningServer;
let busy: () => Promise<void>;
beforeAll(async () => {
  const nested = (url: string) => `${server.url}/?url=${encodeURIComponent(site.url(url))}`;
  site = await openSite({
    '/': '<h1>plain</h1>',
    '/nesting': () => {
      const { port } = new URL(server.url);
      const spellings = ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]', '0.0.0.0'].map((host) =>
        nested('/nesting').replace(`127.0.0.1:${port}`, `${host}:${port}`),
      );
      return `<h1>nesting</h1>${spellings.map((url) => `<iframe src="${url}&output_type=html"></iframe><img src="${url}">`).join('')}`;
    },
    '/to-server': () => ({ status: 302, headers: { location: nested('/nesting') } }),
    '/busy': async () => {
      await busy();
      return '<h1>busy</h1>';
    },
  });
  server = await startServer(['--server-max-concurrency', '1', '--server-queue-requests', '--server-enable-prometheus']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const render = (url: string, more: Readonly<Record<string, string>> = {}) =>
  fetch(`${server.url}/?${new URLSearchParams({ url, output_type: 'html', ...more }).toString()}`);

/** How many renders the server was asked for, by itself and others. */
async function countRenders(): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return [...text.matchAll(/^svc_requests_total\{.*endpoint="GET \/".*\} (\d+)$/gm)].reduce((total, [, count]) => total + Number(count), 0);
}

describe('S10: a page that embeds the server that renders it', () => {
  it('is rendered once, with nothing in its frames, at a concurrency of 1', async () => {
    const before = await countRenders();
    const answer = await render(site.url('/nesting'));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('nesting');
    const { port } = new URL(server.url);
    const refused = (answer.headers.get('x-egress-refused') ?? '').split(', ').sort();
    expect(refused).toEqual([`0.0.0.0:${port}`, `127.0.0.1:${port}`, `[::ffff:7f00:1]:${port}`, `localhost:${port}`].sort());
    expect(await countRenders()).toBe(before + 1);
    expect(site.requests.filter(({ url }) => url === '/nesting')).toHaveLength(1);
    expect((await render(site.url('/'))).status).toBe(200);
  });

  it.each(['/to-server', '/status', '/metrics', '/?url=http://a.test/'])('%s of it as a target is a 403', async (path) => {
    const answer = await render(path === '/to-server' ? site.url(path) : `${server.url}${path}`);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'target_blocked',
      detail: "the target is blocked by this server: its address is one of this server's own",
    });
  });
});

it('S11: while it renders, neither Platen nor its browser listens to anything but the server and the ways out', async () => {
  let listening: readonly string[] = [];
  busy = async () => {
    listening = await listListeners();
  };
  expect((await render(site.url('/busy'))).status).toBe(200);
  const { port } = new URL(server.url);
  expect(listening).toContain(`node 127.0.0.1:${port}`);
  // A way out is Node's, on the loopback, and speaks to nobody but as a proxy.
  expect(listening.filter((each) => !/^node 127\.0\.0\.1:\d+$/.test(each))).toEqual([]);
});

/** `PROGRAM ADDRESS:PORT` of every TCP listener of the server and its descendants. */
async function listListeners(): Promise<readonly string[]> {
  const rows = (await Promise.all(['tcp', 'tcp6'].map((file) => readFile(`/proc/net/${file}`, 'utf8')))).join('').split('\n');
  const addresses = new Map(
    rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/);
      return state === '0A' ? [[inode, decodeAddress(local)] as const] : [];
    }),
  );
  const pids = await listDescendants(server.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process that ends meanwhile listens to nothing.
      const program = (await readFile(`/proc/${String(pid)}/comm`, 'utf8').catch(() => '')).trim();
      const descriptors = await readdir(`/proc/${String(pid)}/fd`).catch(() => []);
      const links = await Promise.all(descriptors.map((each) => readlink(`/proc/${String(pid)}/fd/${each}`).catch(() => '')));
      return links.flatMap((link) => {
        const address = addresses.get(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '');
        return address === undefined ? [] : [`${program} ${address}`];
      });
    }),
  );
  return found.flat();
}

/** `0100007F:0BB8` is 127.0.0.1:3000; IPv6 is left as it is. */
function decodeAddress(local: string): string {
  const [address = '', port = ''] = local.split(':');
  const bytes = address.length === 8 ? [...Buffer.from(address, 'hex')].reverse().join('.') : `[${address}]`;
  return `${bytes}:${String(Number.parseInt(port, 16))}`;
}
