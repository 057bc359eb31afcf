import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openModelServer } from '../../../helpers/model-server.js';
import { done, navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { countBytes, promised } from './cluster-servers.js';
import { type RedisServer, startRedis } from './redis-server.js';

const LOCK_S = 2;
const LARGE = 300 * 1024 ** 2;

let redis: RedisServer;
let site: Site;
/** The responses that the site holds back: of the first request for each page. */
const held = new Map<string, ServerResponse>();
let began = promised<ServerResponse>();
beforeAll(async () => {
  redis = await startRedis();
  site = await openSite({
    '/form': '<label>Name <input></label>',
    '/held': (request, response) => {
      const { url = '' } = request;
      if (held.has(url)) return `<h1>${url}</h1>`;
      held.set(url, response);
      began.resolve(response);
      return undefined;
    },
    '/large': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': LARGE });
      const chunk = Buffer.alloc(1024 ** 2);
      let left = LARGE / chunk.length;
      const write = () => {
        while (left > 0) {
          left -= 1;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
      return undefined;
    },
  });
});
afterAll(async () => {
  await redis[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const join = (role: string, name: string) =>
  startServer(['--cluster-role', role, '--cluster-name', name, '--cluster-lock', String(LOCK_S), '--browser-no-sandbox'], {
    env: { PLATEN_CLUSTER_QUEUE: redis.url },
  });

const ask = (front: RunningServer, path: string, more = '') => fetch(`${front.url}/?url=${encodeURIComponent(site.url(path))}${more}`);
const readStatus = async ({ url }: RunningServer) => (await (await fetch(`${url}/status`)).json()) as { cluster: object };

it('renders the whole page once more after a worker was killed in the middle', async () => {
  began = promised();
  await using front = await join('front', 'kill');
  const first = await join('worker', 'kill');
  const asked = ask(front, '/held?kill', '&output_type=html');
  await began.promise;
  first.signal('SIGKILL');
  await first.exited;
  await using second = await join('worker', 'kill');
  const response = await asked;
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<h1>/held?kill</h1>');
  expect((await readStatus(front)).cluster).toMatchObject({ attempts: 2, lost: 1 });
  expect(second.lines.some(({ msg }) => msg === 'a job was not carried out')).toBe(false);
});

it('delivers one result if a worker stops past its lock, and nothing of that worker afterwards', async () => {
  began = promised();
  await using front = await join('front', 'stop');
  await using first = await join('worker', 'stop');
  const asked = ask(front, '/held?stop', '&output_type=html');
  const page = await began.promise;
  const closed = new Promise((resolve) => page.once('close', resolve));
  process.kill(first.pid, 'SIGSTOP');
  try {
    await using second = await join('worker', 'stop');
    const response = await asked;
    expect(second.lines.some(({ msg }) => msg === 'joined the cluster')).toBe(true);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('<h1>/held?stop</h1>')]);
  } finally {
    process.kill(first.pid, 'SIGCONT');
  }
  // Its connection to the front is closed, so that it ends its render.
  await closed;
  await until(async () => ((await (await fetch(`${first.url}/status`)).json()) as { in_flight: number }).in_flight === 0);
  expect((await readStatus(front)).cluster).toMatchObject({ attempts: 2, lost: 1 });
  expect((await ask(front, '/held?stop', '&output_type=html')).status).toBe(200);
});

it('navigates at a worker, whose assets the front has', async () => {
  await using front = await join('front', 'navigate');
  await using worker = await join('worker', 'navigate');
  await worker.line('joined the cluster');
  const turns: Turn[] = [
    ({ ref }) => [{ kind: 'fill', ref: ref('textbox', 'Name'), value: 'data:name' }],
    ({ page }) => [done(/value="(\w+)"/.exec(page)?.[1])],
  ];
  await using model = await openModelServer('openai', navigatorScript(turns).script);
  const response = await fetch(front.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url: site.url('/form'),
      navigate: 'Fill it.',
      navigator_type: model.connection(),
      navigator_data_json: [{ name: 'Ada' }],
      with_navigator_video: true,
    }),
  });
  expect([response.status, await response.text(), response.headers.get('x-navigator-steps')]).toEqual([200, 'Ada', '2']);
  const [, video = ''] = /<([^>]+)>; rel="related"; type="video\/webm"/.exec(response.headers.get('link') ?? '') ?? [];
  expect((await fetch(new URL(video, front.url))).headers.get('content-type')).toBe('video/webm');
});

it('passes 300 MB on at bounded memory', async () => {
  await using front = await join('front', 'large');
  await using worker = await join('worker', 'large');
  const peakOf = async ({ pid }: RunningServer) =>
    Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) / 1024;
  expect((await ask(front, '/held?warm', '&output_type=html&timeout=1')).status).toBe(504);
  const before = await Promise.all([peakOf(front), peakOf(worker)]);
  const response = await ask(front, '/large', '&output_type=download');
  expect(await countBytes(response.body)).toBe(LARGE);
  const after = await Promise.all([peakOf(front), peakOf(worker)]);
  expect(after.map((mib, index) => mib - (before[index] ?? 0)).every((grown) => grown < 150)).toBe(true);
});

it('refuses pages at the addresses of its front and of its queue', async () => {
  await using front = await join('front', 'addresses');
  await using worker = await join('worker', 'addresses');
  for (const url of [`${front.url}/status`, `${worker.url}/status`, `http://127.0.0.1:${String(redis.port)}/`]) {
    const response = await fetch(`${front.url}/?url=${encodeURIComponent(url)}`);
    expect(await response.json(), url).toMatchObject({ code: 'target_blocked' });
  }
});
