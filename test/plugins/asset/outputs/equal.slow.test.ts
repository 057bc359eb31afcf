import { buffer } from 'node:stream/consumers';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { SIZE, TEXTS } from '../../../golden/pages.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { decodePicture } from '../../capture/pictures.js';

// Outputs of one load are the same as those of their own renders, whatever the other keys are: of plain pages, `golden/together` shows it.

const BANNER = `<!doctype html><title>Banner</title><style>.notice{position:fixed;bottom:0;left:0;right:0;height:120px;background:red}</style>
  <h1>Article</h1><p>Some words of the article.</p>
  <div class="notice cookie-consent" role=dialog aria-label="Cookie consent">We use cookies to improve your experience.
    <button>Accept all cookies</button></div>`;
const FRAME = '<body style="margin:0"><svg width="100" height="100"><circle cx="50" cy="50" r="30.3" fill="teal"/></svg>';
const PLAIN = `<!doctype html><title>Plain</title><style>@media print{p{color:red}}</style><h1>Title</h1><p id=first>First</p><p id=second>Second</p>
  <div style="height:900px;background:linear-gradient(red,blue)"></div><p>End`;

const TEXT_TYPES = ['html', 'markdown', 'txt', 'axtree', 'mhtml'];

/** A page, its keys, the main output, and those beside it. */
const CASES: readonly (readonly [path: string, params: object, main: string, others: readonly string[]])[] = [
  ['/framing', { device_scale_factor: 2 }, 'markdown', ['png', 'jpg']],
  ['/framing', { device_scale_factor: 2 }, 'pdf', ['png']],
  ['/framing', { device_scale_factor: 2 }, 'png', ['markdown', 'pdf']],
  ['/banner', { remove_modals: true }, 'png', ['pdf', ...TEXT_TYPES]],
  ['/banner', { remove_modals: true }, 'markdown', ['png', 'pdf', 'html']],
  ['/plain', { full_page: true }, 'png', ['pdf', ...TEXT_TYPES]],
  ['/plain', { image_clip: '10,700,100.5,200' }, 'pdf', ['png', 'markdown']],
  ['/plain', { image_transparent: true }, 'png', ['pdf', 'html']],
  ['/plain', { image_selector: '#second', pdf_single_page: true }, 'png', ['pdf', ...TEXT_TYPES]],
  ['/plain', { pdf_margin: '1cm', pdf_title: 'Other', emulate_media: 'print' }, 'pdf', ['png', 'html']],
  ['/plain', { css: 'p { color: green }', hide_selector: ['#first'], remove_selector: ['#second'] }, 'png', ['pdf', ...TEXT_TYPES]],
  ['/plain', { click_selector: ['h1'], main_content: true }, 'markdown', ['txt', 'png', 'pdf']],
];

let host: TestKernel;
let site: Site;

beforeAll(async () => {
  host = createTestKernel({ plugins: await Promise.all(listPlugins().map(importPlugin)) });
  const own: Site = await openSite({
    '/banner': BANNER,
    '/plain': PLAIN,
    '/framing': () => `<title>Framing</title><p>Around</p><iframe width=120 height=120 src="${own.url('/frame', 'localhost')}"></iframe>`,
    '/frame': FRAME,
  });
  site = own;
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** A render that is of no picture refuses them. */
const PICTURE_KEYS: readonly string[] = ['full_page', 'image_transparent'];

function paramsOf(type: string, params: object): object {
  if (TEXTS[type] === undefined) return params;
  return Object.fromEntries(Object.entries(params).filter(([key]) => !PICTURE_KEYS.includes(key)));
}

/** Without what no two renders have in common. */
async function comparable(type: string, bytes: Buffer): Promise<string> {
  const read = TEXTS[type];
  if (read !== undefined) return read(bytes);
  const { width, height, data } = await decodePicture(bytes);
  return `${String(width)}x${String(height)} ${data.toString('hex')}`;
}

it.each(CASES)('%s with %j: %s beside %j', async (path, params, main, others) => {
  const given = { url: site.url(path), ...SIZE };
  const { assets, bytes } = await host.render({ ...given, ...params, output_type: main, with_output: others });
  expect(assets.missing).toEqual([]);
  const made = new Map([[main, await bytes()]]);
  for (const asset of assets.kept) made.set(asset.name, await buffer(asset.open()));
  expect([...made.keys()].sort()).toEqual([main, ...others].sort());
  for (const [type, body] of made) {
    const alone = await (await host.render({ ...given, ...paramsOf(type, params), output_type: type })).bytes();
    const [found, wanted] = [await comparable(type, body), await comparable(type, alone)];
    expect(found === wanted || [found.slice(0, 500), wanted.slice(0, 500)], `${type} beside ${main}`).toBe(true);
  }
});
