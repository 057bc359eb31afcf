import { buffer } from 'node:stream/consumers';
import { createTestKernel, type TestRender } from '@platen/kernel/testing';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import { afterAll, describe, expect, it } from 'vitest';
import network from '../../../../plugins/capture/network/src/index.js';
import pixels from '../../../../plugins/capture/screenshot/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import png from '../../../../plugins/output/png/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import sitemap from '../../../../plugins/walk/sitemap/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { readRecords } from '../../lib/warc/archive-fixture.js';

const host = createTestKernel({ plugins: [network, walk, robots, target, links, sitemap, pixels, frames, ffmpeg, png, gif, warc] });
afterAll(() => host[Symbol.asyncDispose]());

const openPages = (): Promise<Site> =>
  openSite({
    '/': '<title>Home</title><a href="/a">a</a><a href="/b">b</a>',
    '/a': '<title>A</title><a href="/c">c</a>',
    '/b': '<title>B</title>',
    '/c': '<title>C</title><audio src="/sound.wav" preload="none"></audio>',
    '/sound.wav': { headers: { 'content-type': 'audio/wav' }, body: 'RIFF' },
    '/list.txt': ({ headers }) => ({ headers: { 'content-type': 'text/plain' }, body: `http://${headers.host ?? ''}/b\n` }),
  });

const WALK = { output_type: 'png', with_warc: true, crawl_delay: 0 } as const;

async function archivedPaths({ assets }: TestRender): Promise<readonly string[]> {
  const asset = assets.kept.find(({ name }) => name === 'warc');
  if (!asset) throw new Error(JSON.stringify(assets.missing));
  const records = await readRecords(await buffer(asset.open()));
  const responses = records.filter(({ type }) => type === 'response');
  return responses.map((record) => new URL(record.field('WARC-Target-URI') ?? '').pathname).sort();
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

describe('crawl_* with with_warc beside another output', () => {
  it.each([
    ['crawl_links', '/', { crawl_links: true }, ['/', '/a', '/b', '/c', '/robots.txt']],
    ['crawl_max_links', '/', { crawl_links: true, crawl_max_links: 3 }, ['/', '/a', '/b', '/robots.txt']],
    ['crawl_media_sources', '/c', { crawl_media_sources: true }, ['/c', '/robots.txt', '/sound.wav']],
    ['crawl_url_is_sitemap', '/list.txt', { crawl_url_is_sitemap: 'text' }, ['/b', '/list.txt', '/robots.txt']],
  ])('archives what %s leads to, and shows the target', async (_key, path, params, expected) => {
    await using site = await openPages();
    const render = await host.render({ url: site.url(path), ...WALK, ...params });
    expect((await render.bytes()).subarray(0, 4)).toEqual(PNG);
    expect(await archivedPaths(render)).toEqual(expected);
    expect(render.headers['X-Crawl-Stopped']).toBe('crawl_max_links' in params ? 'crawl_max_links' : undefined);
  });

  it('is not limited by the time of the target, unless the request sets a timeout', () => {
    const plan = (params: object) => host.kernel.plan(host.kernel.validate({ url: 'http://a.test/', ...WALK, ...params }, 'flags'));
    expect(plan({ crawl_links: true })).toMatchObject({ timesFurtherPages: false });
    expect(plan({ crawl_links: true, timeout: 9 })).toMatchObject({ timesFurtherPages: true, timeoutMs: 9000 });
    expect(plan({})).toMatchObject({ timesFurtherPages: true });
  });

  it('leaves the browser of a video alive, which draws only on request', async () => {
    const paths = Array.from({ length: 12 }, (_none, at) => `/v${String(at)}`);
    const links = paths.map((path) => `<a href="${path}">next</a>`).join('');
    await using site = await openSite(Object.fromEntries(['/', ...paths].map((path) => [path, `<title>${path}</title>${links}`])));
    const params = { output_type: 'gif', image_duration: 1, crawl_links: true, crawl_concurrency: 2 };
    const render = await host.render({ url: site.url('/'), ...WALK, ...params });
    expect((await render.bytes()).toString('latin1', 0, 3)).toBe('GIF');
    expect(await archivedPaths(render)).toEqual(['/', '/robots.txt', ...paths].sort());
  });

  it('needs an output that archives', async () => {
    await expect(host.render({ url: 'http://127.0.0.1:9/', output_type: 'png', crawl_links: true })).rejects.toThrow(
      '"crawl_links" needs "output_type=warc", "output_type=wacz", "output_type=jsonl" or "with_warc=true"',
    );
  });

  it('a target that fails is archived alone, with the error', async () => {
    await using site = await openSite({ '/': { status: 404, body: '<a href="/a">a</a>' }, '/a': 'A' });
    const error = await host.render({ url: site.url('/'), ...WALK, crawl_links: true }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'target_status', assets: { missing: [], kept: [{ name: 'warc' }] } });
    expect(site.requests.map(({ url }) => url)).not.toContain('/a');
  });
});
