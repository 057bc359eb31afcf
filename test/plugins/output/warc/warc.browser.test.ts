import { buffer, text } from 'node:stream/consumers';
import { definePlugin, type StoredAsset } from '@platen/kernel';
import { createTestKernel, type TestRender } from '@platen/kernel/testing';
import { networkKey } from '@platen/plugin-network/keys';
import type { Walk, WalkedPage } from '@platen/plugin-walk';
import { afterAll, describe, expect, it } from 'vitest';
import { type ArchivedPage, pagesOf } from '../../../../plugins/lib/warc/src/index.js';
import network from '../../../../plugins/capture/network/src/index.js';
import pixels from '../../../../plugins/capture/screenshot/src/index.js';
import png from '../../../../plugins/output/png/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';
import wait from '../../../../plugins/page/wait/src/index.js';
import { ACTED, acting } from '../../capture/network/har-prober.js';
import { openTrafficSite } from '../../capture/network/traffic-site.js';
import { parseLine, readRecords } from '../../lib/warc/archive-fixture.js';

let written = 0;

async function* completed(pages: AsyncIterable<ArchivedPage>): AsyncGenerator<WalkedPage> {
  for await (const page of pages) yield { ...page, loadState: 'complete' };
}

/** A walk of one page, from what was recorded of it. */
const fakeWalk = definePlugin({
  name: 'walk',
  requires: ['network'],
  captures: [{ kind: 'walk', streaming: true, spansDocuments: true }],
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'walk', for: { capture: 'walk' } }, (context) => {
      context.get(networkKey)?.want({ bodies: true });
    });
    hooks.capture.for('walk').tapPromise('walk', async (context): Promise<Walk | undefined> => {
      const record = await context.get(networkKey)?.stop();
      return (
        record && {
          ...{ seed: context.plan.url, startedAt: new Date(), browser: record.browser },
          pages: () => completed(pagesOf(record, { url: context.plan.url, visits: 'all' })),
          wrote: (bytes) => (written += bytes),
          summary: { done: 1, failed: 0, stopReason: 'crawl_max_links' },
        }
      );
    });
  },
});

const host = createTestKernel({ plugins: [target, wait, pixels, png, network, fakeWalk, warc] });
afterAll(() => host[Symbol.asyncDispose]());

const summary = (records: Awaited<ReturnType<typeof readRecords>>) =>
  records.map((record) => `${record.type} ${new URL(record.field('WARC-Target-URI') ?? 'urn:none').pathname}`);

function assetOf({ assets }: TestRender, name: string): StoredAsset {
  const found = assets.kept.find((asset) => asset.name === name);
  if (!found) throw new Error(`no ${name}: ${JSON.stringify(assets.missing)}`);
  return found;
}

const PAGE = acting(
  `await (await fetch('/api', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })).text()`,
);

describe('with_warc', () => {
  it('adds the WARC of the final page, and an index whose lines lead to its records', async () => {
    const first = `<title>first</title><script>location.replace('/moved')</script>`;
    await using site = await openTrafficSite({
      '/': first,
      '/moved': (_request, response) => response.writeHead(302, { location: '/final', 'set-cookie': ['a=1', 'b=2'] }).end(),
      '/final': PAGE,
    });
    const render = await host.render({ url: site.url('/'), output_type: 'png', with_warc: true, with_archive_cdx: true, ...ACTED });
    const archived = assetOf(render, 'warc');
    expect(archived).toMatchObject({ contentType: 'application/warc', extension: 'warc.gz', forViewers: true });
    const bytes = await buffer(archived.open());
    const records = await readRecords(bytes);
    expect(summary(records)).toEqual([
      ...['warcinfo none', 'response /moved', 'request /moved', 'response /final', 'request /final'],
      ...['response /api', 'request /api', `resource pageinfo:${site.url('/final')}`],
    ]);
    expect(records[1]?.http('set-cookie')).toBe('a=1,,,b=2');
    expect(records[3]?.text).toBe(PAGE);
    expect(records[6]?.text).toBe('{"a":1}');
    const index = assetOf(render, 'archive_cdx');
    expect(index).toMatchObject({ contentType: 'text/x-cdxj', extension: 'cdxj' });
    const lines = (await text(index.open())).trimEnd().split('\n').map(parseLine);
    expect(lines.map(({ fields }) => fields['url'])).toEqual([
      site.url('/api'),
      site.url('/final'),
      site.url('/moved'),
      `urn:pageinfo:${site.url('/final')}`,
    ]);
    expect(lines[0]).toMatchObject({ fields: { method: 'POST', requestBody: 'a=1', filename: '127.0.0.1.warc.gz' } });
    for (const { fields } of lines) {
      const record = records.find(({ offset }) => String(offset) === fields['offset']);
      expect(record?.field('WARC-Target-URI')).toBe(fields['url']);
    }
  });

  it('adds every visited page with warc_captures_navigation', async () => {
    await using site = await openTrafficSite({ '/': `<script>location.replace('/final')</script>`, '/final': PAGE });
    const render = await host.render({ url: site.url('/'), output_type: 'png', with_warc: true, warc_captures_navigation: true, ...ACTED });
    const records = await readRecords(await buffer(assetOf(render, 'warc').open()));
    expect(summary(records).filter((line) => line.startsWith('response'))).toEqual(['response /', 'response /final', 'response /api']);
    expect(records.filter(({ type }) => type === 'resource')).toHaveLength(2);
  });
});

describe('output_type=warc', () => {
  it('streams the walk, reports its bytes, and ends with the reason', async () => {
    await using site = await openTrafficSite({ '/': PAGE });
    written = 0;
    const render = await host.render({ url: site.url('/'), output_type: 'warc', ...ACTED });
    const bytes = await render.bytes();
    expect(render.output).toMatchObject({ contentType: 'application/warc', extension: 'warc.gz' });
    expect(written).toBe(bytes.length);
    const records = await readRecords(bytes);
    expect(summary(records)).toEqual([
      ...['warcinfo none', 'response /', 'request /', 'response /api', 'request /api'],
      ...[`resource pageinfo:${site.url('/')}`, 'warcinfo none'],
    ]);
    expect(records.at(-1)?.text).toContain('stop_reason: crawl_max_links\r\n');
  });

  it('has an index beside it', async () => {
    await using site = await openTrafficSite({ '/': PAGE });
    const render = await host.render({ url: site.url('/'), output_type: 'warc', with_archive_cdx: true, ...ACTED });
    const lines = (await text(assetOf(render, 'archive_cdx').open())).trimEnd().split('\n').map(parseLine);
    const records = await readRecords(await render.bytes());
    expect(lines).toHaveLength(3);
    for (const { fields } of lines)
      expect(records.find(({ offset }) => String(offset) === fields['offset'])?.field('WARC-Target-URI')).toBe(fields['url']);
  });
});

it.each([
  [
    { output_type: 'png', with_archive_cdx: true },
    'with_archive_cdx',
    '"with_archive_cdx" requires "output_type=warc" or "with_warc=true"',
  ],
  [{ output_type: 'warc', with_warc: true }, 'with_warc', '"with_warc" is for other output types: "output_type=warc" is the WARC itself'],
])('%j is refused', (params, parameter, message) => {
  const { kernel } = host;
  const plan = () => kernel.plan(kernel.validate({ url: 'https://example.com/', ...params }, 'body'));
  expect(plan).toThrow(message);
  expect(plan).toThrow(expect.objectContaining({ code: 'invalid_parameters', details: { errors: [{ parameter, detail: message }] } }));
});
