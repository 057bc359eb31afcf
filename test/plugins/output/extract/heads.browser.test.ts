import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import ogs from 'open-graph-scraper';
import { afterAll, beforeAll, expect, it } from 'vitest';
import extract, { type ExtractParams } from '../../../../plugins/output/extract/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { HEADS } from './heads.js';

const pageOf = (head: string) => `<!doctype html><html lang=en><head><meta charset=utf-8>${head}</head><body><p>Text</p></body></html>`;
const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [extract] });
  site = await openSite(Object.fromEntries(Object.entries(HEADS).map(([name, head]) => [pathOf(name), pageOf(head)])));
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Metadata {
  readonly title: string | null;
  readonly description: string | null;
  readonly open_graph: Readonly<Record<string, string | readonly string[]>>;
  readonly twitter: Readonly<Record<string, string | readonly string[]>>;
  readonly json_ld: readonly unknown[];
}

async function readMetadata(name: string): Promise<Metadata> {
  const params: ExtractParams = { extract_metadata: true };
  const { bytes } = await host.render({ url: site.url(pathOf(name)), ...params });
  return (JSON.parse((await bytes()).toString()) as { readonly metadata: Metadata }).metadata;
}

it.each(Object.entries(HEADS))('metadata of %s are those that open-graph-scraper finds', async (name, head) => {
  const html = pageOf(head);
  const { result } = await ogs({ html, onlyGetOpenGraphInfo: true });
  // Only beside values that it guesses where a property is missing.
  const { jsonLD = [] } = (await ogs({ html })).result;
  const { open_graph: graph, twitter, json_ld } = await readMetadata(name);
  const { ogTitle, ogType, ogUrl, ogSiteName, ogLocale, ogDescription, ogImage, twitterCard, twitterTitle, twitterSite } = result;
  expect({
    graph: [graph['title'], graph['type'], graph['url'], graph['site_name'], graph['locale'], graph['description']],
    images: [graph['image'] ?? []].flat(),
    twitter: [twitter['card'], twitter['title'], twitter['site']],
    json_ld,
  }).toEqual({
    graph: [ogTitle, ogType, ogUrl, ogSiteName, ogLocale, ogDescription],
    images: (ogImage ?? []).map(({ url }) => url),
    twitter: [twitterCard, twitterTitle, twitterSite],
    json_ld: (jsonLD as readonly unknown[]).flat(),
  });
});
