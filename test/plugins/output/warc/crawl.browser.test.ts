import { text } from 'node:stream/consumers';
import { createTestKernel } from '@platen/kernel/testing';
import { expect, it } from 'vitest';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import { openSite } from '../../../helpers/site.js';
import { parseCdx } from '../../../helpers/wacz-file.js';

it('a crawl with an index may take longer than the time of one page', async () => {
  await using host = createTestKernel({ plugins: [network, walk, links, warc] });
  const pages = Object.fromEntries(['/', '/1', '/2', '/3'].map((path, at) => [path, `<a href="/${String(at + 1)}">next</a>`]));
  await using site = await openSite(pages);
  const crawl = { crawl_links: true, crawl_delay: 2, crawl_page_timeout: 5, crawl_deny_url: ['*/4'] };
  const { assets, bytes } = await host.render({ url: site.url('/'), output_type: 'warc', with_archive_cdx: true, ...crawl });
  expect((await bytes()).length).toBeGreaterThan(0);
  const [index] = assets.kept;
  if (index === undefined) throw new Error(`no index: ${JSON.stringify(assets.missing)}`);
  const lines = parseCdx(await text(index.open()));
  expect(lines.flatMap(({ fields: { url } }) => (url.startsWith('http') ? [new URL(url).pathname] : [])).sort()).toEqual(
    Object.keys(pages).sort(),
  );
});
