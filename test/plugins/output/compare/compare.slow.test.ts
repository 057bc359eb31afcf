import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startServer, type RunningServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';

const PAGE = '<style>body { margin: 0; background: #eef4ff }</style>';
const BOX = '<div style="position: absolute; left: 100px; top: 200px; width: 30px; height: 20px; background: #c00"></div>';

let cwd: string;
let site: Site;
let server: RunningServer;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-compare-'));
  site = await openSite({
    '/old': PAGE,
    '/new': PAGE + BOX,
    '/long': `${PAGE}<div style="height: 30000px"></div>${BOX.replace('200px', '29000px')}`,
  });
  server = await startServer(
    ['--server-enable-mcp', '--server-enable-jobs', '--server-max-concurrency', '1', '--browser-concurrency', '1'],
    { cwd },
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

async function post(params: Readonly<Record<string, unknown>>, path = '/', headers: Readonly<Record<string, string>> = {}) {
  const all = { 'content-type': 'application/json', ...headers };
  return await fetch(server.url + path, { method: 'POST', headers: all, body: JSON.stringify(params) });
}

function linksOf(response: Response): Readonly<Record<string, string>> {
  const links = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>[^,]*title="([^"]+)"/g)];
  return Object.fromEntries(links.map(([, url = '', title = '']) => [title, new URL(url, server.url).href]));
}

describe('the command line', () => {
  it('reads the baseline from a file, and writes the same files beyond a limit as within', async () => {
    expect(await runCli([site.url('/old'), 'old.png'], { cwd })).toMatchObject({ code: 0 });
    expect(await runCli([site.url('/old'), 'new.jpg', '--compare', 'old.png', '--compare-max-pixels', '0'], { cwd })).toMatchObject({
      code: 0,
    });
    const { code, stderr } = await runCli([site.url('/new'), 'new.jpg', '--compare', 'old.png', '--compare-max-pixels', '0'], { cwd });
    expect([code, (await readdir(cwd)).sort()]).toEqual([3, ['new.comparison.json', 'new.diff.png', 'new.jpg', 'old.png']]);
    expect(stderr).toContain('600 pixels');
    expect(JSON.parse(await readFile(join(cwd, 'new.comparison.json'), 'utf8'))).toMatchObject({ pixels: 600 });
    // The output is that of the failed render.
    const { data, info } = await sharp(await readFile(join(cwd, 'new.jpg')))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[(210 * info.width + 115) * info.channels]).toBeGreaterThan(180);
    expect(await runCli([site.url('/new'), 'new.png', '--compare', 'missing.png'], { cwd })).toMatchObject({ code: 2 });
  });

  it('has the command of two folders', async () => {
    expect(await runCli(['compare', '--help'], { cwd })).toMatchObject({ code: 0 });
    const missing = { code: 1, stderr: `platen: cannot read ${join(cwd, 'nowhere')}: there is no such file\n` };
    expect(await runCli(['compare', '.', 'nowhere'], { cwd })).toMatchObject(missing);
    expect(await runCli(['compare', '.'], { cwd })).toMatchObject({ code: 2 });
    const { code, stdout } = await runCli(['compare', '.', '.', '--out', 'report.html'], { cwd });
    expect([code, String(stdout)]).toEqual([0, '3 images: 3 equal\n']);
  });
});

describe('a server that renders one page at a time', () => {
  it('compares two pages within one admission, and links what differs', async () => {
    const equal = await post({ url: site.url('/new'), compare_url: site.url('/new') });
    expect([equal.status, equal.headers.get('x-compare')]).toEqual([200, 'equal=true; pixels=0; ratio=0; regions=0']);
    await equal.arrayBuffer();
    const differs = await post({ url: site.url('/new'), compare_url: site.url('/old'), output_type: 'webp', compare_max_pixels: 0 });
    expect([differs.status, await differs.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'picture_differs', report: { equal: false, pixels: 600, ratio: 600 / 921_600, regions: 1 } }),
    ]);
    const links = linksOf(differs);
    const types = await Promise.all(Object.values(links).map(async (url) => (await fetch(url)).headers.get('content-type')));
    expect([Object.keys(links).sort(), types.sort()]).toEqual([
      ['comparison', 'diff', 'output'],
      ['application/json', 'image/png', 'image/webp'],
    ]);
    // An asset of an earlier render is a baseline.
    const again = await post({ url: site.url('/new'), compare: `asset:${new URL(links['output'] ?? '').searchParams.get('id') ?? ''}` });
    expect(again.headers.get('x-compare')).toMatch(/^equal=(true|false); /);
    await again.arrayBuffer();
  });

  it('takes the baseline as a file of a form', async () => {
    const body = new FormData();
    body.set('url', site.url('/new'));
    body.set('compare', new Blob([await readFile(join(cwd, 'old.png'))]), 'old.png');
    const response = await fetch(server.url, { method: 'POST', body });
    expect([response.status, response.headers.get('x-compare')]).toEqual([200, 'equal=false; pixels=600; ratio=0.000651; regions=1']);
    await response.arrayBuffer();
  });

  it('compares a page of more than 2^25 pixels, which is streamed', async () => {
    const params = { url: site.url('/long'), full_page: true, timeout: 120 };
    const before = Buffer.from(await (await post(params)).arrayBuffer());
    const compare = `data:image/png;base64,${before.toString('base64')}`;
    const equal = await post({ ...params, compare, output_type: 'png' });
    expect(equal.headers.get('x-compare')).toBe('equal=true; pixels=0; ratio=0; regions=0');
    expect(Buffer.from(await equal.arrayBuffer()).equals(before)).toBe(true);
    const differs = await post({
      ...params,
      css: 'div + div { width: 31px !important }',
      compare,
      output_type: 'jpg',
      with_comparison: true,
      with_diff: true,
    });
    const links = linksOf(differs);
    expect(await (await fetch(links['comparison'] ?? '')).json()).toMatchObject({
      pixels: 20,
      regions: [{ x: 130, y: 29_000, width: 1, height: 20 }],
    });
    const drawing = await sharp(Buffer.from(await (await fetch(links['diff'] ?? '')).arrayBuffer())).metadata();
    expect(drawing).toMatchObject({ width: 3 * 1280 + 32, height: 116 });
    expect((await sharp(Buffer.from(await differs.arrayBuffer())).metadata()).format).toBe('jpeg');
  });

  it('compares by MCP, and in a job', async () => {
    const params = { url: site.url('/new'), compare_url: site.url('/old'), compare_max_pixels: 0 };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'render', arguments: params } };
    const answer = await post(call, '/mcp', { accept: 'application/json, text/event-stream' });
    expect(await answer.text()).toContain('picture_differs');
    const accepted = await post(params, '/', { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const job = await fetch(new URL(accepted.headers.get('location') ?? '', server.url), { headers: { prefer: 'wait=60' } });
    expect(await job.json()).toMatchObject({ state: 'failed', problem: { code: 'picture_differs' } });
  });
});
