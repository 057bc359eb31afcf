import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import dom from '@platen/plugin-dom';
import extract from '@platen/plugin-extract';
import freeze from '@platen/plugin-freeze';
import jsonl from '@platen/plugin-jsonl';
import mhtml from '@platen/plugin-mhtml';
import network from '@platen/plugin-network';
import txt from '@platen/plugin-txt';
import walk from '@platen/plugin-walk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';

const PARTS = `<!doctype html><title>parts</title><style>p{color:red}</style><p>parts</p><iframe srcdoc="<p>in<style>p{color:blue}</style>"></iframe>
  <script>const image = new Image(); document.body.append(image);
  image.src = URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>'], { type: 'image/svg+xml' }))</script>`;

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [freeze, dom, txt, network, walk, extract, jsonl, mhtml] });
  site = await openSite({ '/': PARTS });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const render = async (params: object) => (await (await host.render({ url: site.url('/'), ...params })).bytes()).toString();

describe.each([
  ['mhtml', {}, 'Date: Sun, 06 May 2029 07:08:09 GMT\r\n'],
  ['jsonl', { crawl_content: ['txt'] }, '"fetched_at":"2029-05-06T07:08:09.000Z"'],
])('%s', (output_type, more, date) => {
  it('is the same each time, with the date of the page', async () => {
    const frozen = { output_type, ...more, freeze: true, freeze_time: '2029-05-06T07:08:09Z' };
    const [one, other] = [await render(frozen), await render(frozen)];
    expect(one).toBe(other);
    expect(one).toContain(date);
    const thawed = { ...frozen, freeze: false, freeze_time: undefined };
    expect(await render(thawed)).not.toBe(await render(thawed));
  });
});
