import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import adblock from '../../../../plugins/page/adblock/src/index.js';
import { createFilterListManager } from '../../../../plugins/page/adblock/src/filter-list-manager.js';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber } from '../probe.js';

let folder: string;
let site: Site;
const list = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body: `[Adblock Plus 2.0]\n${body}\n` });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'block-ads-test-'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  await writeFile(join(folder, 'list.txt'), '/banner/*\n||refused.localhost^\n');
  site = await openSite({
    '/': `<title>page</title><script>window.report = fetch('/banner/x').then(() => 'sent', () => 'blocked')</script>`,
    '/banner/x': 'x',
    '/easylist.txt': list('||ads.example^'),
    '/easyprivacy.txt': list('||track.example^'),
    '/fanboy-annoyance.txt': list('##.notice'),
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  vi.unstubAllEnvs();
});

describe('block_ads', () => {
  it('false: the lists are not applied, to the target neither; true and none: they are', async () => {
    await using host = openProber({ plugins: [adblock], flags: { 'adblock-rules': [join(folder, 'list.txt')] } });
    const reportOf = async (params: object) => (await host.probe({ url: site.url('/'), ...params })).report as unknown;
    expect(await Promise.all([reportOf({}), reportOf({ block_ads: true }), reportOf({ block_ads: null })])).toEqual(
      Array.from({ length: 3 }, () => 'blocked'),
    );
    expect(await reportOf({ block_ads: false })).toBe('sent');
    const refused = { url: site.url('/', 'refused.localhost') };
    await expect(host.probe({ ...refused, block_ads: true })).rejects.toMatchObject({ code: 'target_blocked' });
    expect((await host.probe({ ...refused, block_ads: false })).report).toBe('sent');
  });

  it('true without a list: 501 that names the flag; false is fine', async () => {
    await using host = openProber({ plugins: [adblock] });
    await expect(host.probe({ url: site.url('/'), block_ads: true })).rejects.toMatchObject({
      code: 'feature_unavailable',
      status: 501,
      message: expect.stringContaining('--adblock-rules'),
    });
    expect((await host.probe({ url: site.url('/'), block_ads: false })).report).toBe('sent');
  });
});

describe('names of public lists', () => {
  it('are fetched from their addresses', async () => {
    const outbound = createOutbound({ addressFilters: [] });
    const asked: string[] = [];
    const lists = createFilterListManager({
      sources: ['easylist', 'easyprivacy', 'annoyances'],
      // From the loopback: these lists are on the Internet.
      outbound: {
        fetch(url, options) {
          asked.push(url);
          return outbound.fetch(site.url(new URL(url).pathname.replace('/easylist/', '/')), options);
        },
      },
      files: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      log: silentLogger,
    });
    await lists.load();
    expect(asked).toEqual([
      'https://easylist.to/easylist/easylist.txt',
      'https://easylist.to/easylist/easyprivacy.txt',
      'https://secure.fanboy.co.nz/fanboy-annoyance.txt',
    ]);
    expect(lists.blocker?.facts).toMatchObject({ rules: 3 });
    expect(lists.blocker?.check({ url: 'https://track.example/x', type: 'image', source: 'https://a.example/' })?.kind).toBe('block');
  });
});
