import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { PlatenError } from '@platen/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import pixels from '../../../../plugins/capture/screenshot/src/index.js';
import download from '../../../../plugins/output/download/src/index.js';
import png from '../../../../plugins/output/png/src/index.js';
import { ACTED, acting, openHarProber, readHar } from '../../capture/network/har-prober.js';
import { openTrafficSite } from '../../capture/network/traffic-site.js';

const prober = openHarProber(pixels, png, download);
afterAll(() => prober[Symbol.asyncDispose]());

/** A render to another output, and the HAR beside it. */
async function renderBeside(params: Readonly<Record<string, unknown>>) {
  const { output, assets, bytes } = await prober.host.render({ output_type: 'png', with_har: true, ...params });
  const [asset] = assets.kept;
  if (asset === undefined) throw new Error(`no HAR: ${JSON.stringify(assets.missing)}`);
  return { asset, picture: await bytes(), type: output.contentType, har: await readHar(await text(asset.open())) };
}

/** The HAR, and a HAR beside it. */
async function renderToBoth(params: Readonly<Record<string, unknown>>) {
  const { assets, bytes } = await prober.host.render({ output_type: 'har', with_har: true, ...params });
  const [asset] = assets.kept;
  if (asset === undefined) throw new Error(`no HAR: ${JSON.stringify(assets.missing)}`);
  return { output: await readHar((await bytes()).toString()), har: await readHar(await text(asset.open())) };
}

describe('har_capture_bodies', () => {
  it('unset: bodies are in a HAR that is the output, and not in one that is an additional asset', async () => {
    await using site = await openTrafficSite({ '/': acting(`await (await fetch('/json')).text()`) });
    const output = await prober.har({ url: site.url('/'), ...ACTED });
    expect(output.one('/json').response.content.text).toBe('{"n":1}');
    const { har, asset, type } = await renderBeside({ url: site.url('/'), ...ACTED });
    expect(har.log.entries).toHaveLength(2);
    expect(har.text).not.toContain('"text"');
    expect(har.one('/json').response.content.size).toBe(7);
    expect(asset).toMatchObject({ name: 'har', contentType: 'application/json', extension: 'har', forViewers: true });
    expect(type).toBe('image/png');
  });

  it('true and false say so for both', async () => {
    await using site = await openTrafficSite({ '/': acting(`await (await fetch('/json')).text()`) });
    const output = await prober.har({ url: site.url('/'), ...ACTED, har_capture_bodies: false });
    expect(output.one('/json').response.content).not.toHaveProperty('text');
    const { har } = await renderBeside({ url: site.url('/'), ...ACTED, har_capture_bodies: true });
    expect(har.one('/json').response.content.text).toBe('{"n":1}');
  });

  it('bodies that are recorded for another do not come into a HAR without them', async () => {
    await using site = await openTrafficSite({ '/': acting(`await (await fetch('/json')).text()`) });
    const { output, har } = await renderToBoth({ url: site.url('/'), ...ACTED });
    expect(output.one('/json').response.content.text).toBe('{"n":1}');
    expect(har.text).not.toContain('"text"');
  });
});

describe('har_captures_navigation', () => {
  const pages = {
    '/': '<title>one</title><img src="/json?one"><meta http-equiv="refresh" content="0; url=/moved">',
    '/moved': (_request: IncomingMessage, response: ServerResponse) => response.writeHead(302, { location: '/two' }).end(),
    '/two': acting(`await (await fetch('/json?two')).text(); document.title = 'two'`),
  };

  it('false: the last page, with the redirects that led to it', async () => {
    await using site = await openTrafficSite(pages);
    const har = await prober.har({ url: site.url('/'), ...ACTED });
    expect(har.log.pages).toMatchObject([{ id: 'page_1', title: 'two' }]);
    expect(har.log.entries.map(({ request }) => request.url)).toEqual([site.url('/moved'), site.url('/two'), site.url('/json?two')]);
    expect(har.log.entries.every(({ pageref }) => pageref === 'page_1')).toBe(true);
  });

  it('true: every page, each entry with its own; bodies of pages that are gone included', async () => {
    await using site = await openTrafficSite(pages);
    const har = await prober.har({ url: site.url('/'), ...ACTED, har_captures_navigation: true });
    expect(har.log.pages).toMatchObject([{ id: 'page_1' }, { id: 'page_2', title: 'two' }]);
    expect(har.one('/')).toMatchObject({ pageref: 'page_1', response: { content: { text: pages['/'] } } });
    expect(har.one('/moved').pageref).toBe('page_2');
    expect(har.one('/json?two').pageref).toBe('page_2');
  });
});

describe('a recorder beside a render', () => {
  it('does not change a pixel', async () => {
    await using site = await openTrafficSite({ '/': acting(`document.body.append(await (await fetch('/json')).text())`) });
    const params = { url: site.url('/'), ...ACTED };
    const alone = await (await prober.host.render({ output_type: 'png', ...params })).bytes();
    expect((await renderBeside({ ...params, har_capture_bodies: true })).picture.equals(alone)).toBe(true);
  });

  it('a render that fails leaves what was recorded until then', async () => {
    await using site = await openTrafficSite();
    const failed: unknown = await prober.host
      .render({ url: site.url('/nowhere'), output_type: 'png', with_har: true })
      .catch((error: unknown) => error);
    if (!(failed instanceof PlatenError)) throw new Error('it did not fail');
    const [asset] = failed.assets?.kept ?? [];
    const har = await readHar(asset ? await text(asset.open()) : '');
    expect(har.one('/nowhere').response.status).toBe(404);
  });

  it('a render whose time is up leaves what was recorded until then', async () => {
    await using site = await openTrafficSite({ '/': '<title>waits</title><img src="/never">' });
    const failed: unknown = await prober.host
      .render({ url: site.url('/'), output_type: 'png', with_har: true, har_capture_bodies: true, timeout: 3 })
      .catch((error: unknown) => error);
    if (!(failed instanceof PlatenError)) throw new Error('it did not fail');
    expect(failed.code).toBe('render_timeout');
    const [asset] = failed.assets?.kept ?? [];
    const har = await readHar(asset ? await text(asset.open()) : '');
    expect(har.one('/').response.content.text).toContain('waits');
    expect(har.one('/never').response._error).toBe('net::ERR_IO_PENDING');
  });
});

it('a download that arrives is no failure', async () => {
  await using site = await openTrafficSite({
    '/file': (_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment', 'content-type': 'application/x-own' }).end('in the file'),
  });
  const { har, picture } = await renderBeside({ url: site.url('/file'), output_type: 'download', har_capture_bodies: true });
  expect(picture.toString()).toBe('in the file');
  const { response } = har.one('/file');
  expect(response).toMatchObject({ status: 200, content: { size: 11 } });
  expect(response).not.toHaveProperty('_error');
});
