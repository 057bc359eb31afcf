import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { WARCParser } from 'warcio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { readHar } from '../../capture/network/har-prober.js';
import { decodePicture } from '../../capture/pictures.js';

const ROOT = new URL('../../../../', import.meta.url);
const FONT = 'node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2';
const dataUrl = (bytes: Buffer) => `data:;base64,${bytes.toString('base64')}`;
const fileUrl = async (path: string) => dataUrl(await readFile(new URL(path, ROOT)));
/** Longer than the browser keeps in one piece for a recorder. */
const LONG = Buffer.alloc(3 * 1024 ** 2, 'long ');

let host: TestKernel;
let upload: Readonly<Record<string, string>>;
beforeAll(async () => {
  host = createTestKernel({ plugins: await Promise.all(listPlugins().map(importPlugin)) });
  const page = `<!doctype html><meta charset="utf-8"><title>Ünit</title><link rel="stylesheet" href="css/a.css"><h1>Over <b>here</b></h1>
    <img src="a.png" alt="An image"><script>fetch('long.txt').then((found) => found.text()).then(() => document.body.classList.add('done'))</script>`;
  upload = {
    'index.html': dataUrl(Buffer.from(page)),
    'css/a.css': dataUrl(Buffer.from('@font-face{font-family:A;src:url(a.woff2)}body{margin:0;font-family:A;background:rgb(0,128,255)}')),
    'css/a.woff2': await fileUrl(FONT),
    'a.png': await fileUrl('test/fixtures/readme/platen.png'),
    'long.txt': dataUrl(LONG),
  };
});
afterAll(() => host[Symbol.asyncDispose]());

async function render(type: string, params: Readonly<Record<string, unknown>> = {}): Promise<Buffer> {
  return await (await host.render({ upload, output_type: type, wait_for: 'css:.done', browser_width: 400, ...params })).bytes();
}

const CHECKS: Readonly<Record<string, (bytes: Buffer) => Promise<void>>> = {
  async png(bytes) {
    const { width, data } = await decodePicture(bytes);
    expect([width, ...data.subarray(0, 3)]).toEqual([400, 0, 128, 255]);
  },
  async pdf(bytes) {
    await using file = await openCheckedFile(bytes, 'pdf');
    expect(String(await runChecker('pdffonts', [file.path]))).toContain('Inter');
    expect(String(await runChecker('pdftotext', [file.path, '-']))).toContain('Over here');
    expect(String(await runChecker('pdfimages', ['-list', file.path])).split('\n').length).toBeGreaterThan(3);
  },
  async mhtml(bytes) {
    for (const path of ['index.html', 'css/a.css', 'css/a.woff2', 'a.png'])
      expect(String(bytes)).toContain(`Content-Location: https://upload.invalid/${path}`);
  },
  async html(bytes) {
    expect(String(bytes)).toContain('<h1>Over <b>here</b></h1>');
  },
  async markdown(bytes) {
    expect(String(bytes)).toContain('# Over **here**\n\n![An image](https://upload.invalid/a.png)');
  },
  async har(bytes) {
    const { log } = await readHar(bytes.toString());
    const entries = log.entries.map(({ request, response }) => [request.url, response.status, response.content.size]);
    expect(entries).toContainEqual(['https://upload.invalid/long.txt', 200, LONG.length]);
    expect(entries.length).toBe(5);
  },
  async webm(bytes) {
    await using file = await openCheckedFile(bytes, 'webm');
    expect(String(await runChecker('ffprobe', ['-v', 'error', '-show_streams', file.path]))).toContain('width=400');
  },
  async warc(bytes) {
    const records: Record<string, string> = {};
    for await (const record of new WARCParser([bytes[0] === 0x1f ? gunzipSync(bytes) : bytes])) {
      if (record.warcType === 'response')
        records[record.warcTargetURI ?? ''] = Buffer.from(await record.readFully(true)).toString('base64');
    }
    const supplied = Object.entries(upload).map(([path, url]) => [`https://upload.invalid/${path}`, url.replace('data:;base64,', '')]);
    expect(records).toEqual(Object.fromEntries(supplied));
  },
};

it.each(Object.entries(CHECKS))('%s has what was uploaded', async (type, check) => {
  await check(await render(type, type === 'webm' ? { video_duration: 1 } : {}));
});

it('a walk visits the pages that were uploaded', async () => {
  const pages = {
    'index.html': 'data:text/html,<a href=b.html>b</a>',
    'b.html': 'data:text/html,<a href=index.html>a</a><p>second',
  };
  const html = `<a href="b.html">b</a>`;
  const render = await host.render({ html, upload: pages, output_type: 'warc', crawl_links: true });
  const bytes = await render.bytes();
  const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
  expect(text).toContain('<p>second');
  expect(text).toContain(html);
});
