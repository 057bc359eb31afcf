import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { Profile } from 'pprof-format';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../architecture/workspaces.js';
import { type ModelServer, openModelServer } from '../helpers/model-server.js';
import type { Site } from '../helpers/site.js';
import { decodePicture, type Picture } from '../plugins/capture/pictures.js';
import { decodeVideo } from '../plugins/output/decode-film.js';
import { AVIFDEC, decodeStill, DJXL, ffmpeg } from '../plugins/output/decode-still.js';
import { readTrace } from '../plugins/output/trace/read-trace.js';
import { openPages, PAGES, SIZE, TEXTS } from './pages.js';

// What every output type makes of the same pages. `npm run test:golden -- -u` writes `expected/` anew.

const CSV = 'name,price\napple,1.20\n';

/** What a type cannot do without. */
const NEEDED: Readonly<Record<string, object>> = {
  json: { extract: { headings: { selector: 'h1, h2', all: true } }, extract_metadata: true, extract_links: true },
};

/** Each is decoded and compared with the png of the same page; how far channels may be off on the average. */
const STILLS: Readonly<Record<string, readonly [tolerance: number, decode: (bytes: Buffer) => Promise<Picture>]>> = {
  jpg: [4, decodePicture],
  webp: [4, decodePicture],
  avif: [4, (bytes) => decodeStill(bytes, AVIFDEC)],
  jpegxl: [4, (bytes) => decodeStill(bytes, DJXL)],
  tiff: [0, (bytes) => decodeStill(bytes, ffmpeg('tiff'))],
  bmp: [0, (bytes) => decodeStill(bytes, ffmpeg('bmp'))],
};
/** The same of their first and their last picture. */
const FILMS: Readonly<Record<string, readonly [tolerance: number, decode: (bytes: Buffer) => Promise<readonly Uint8Array[]>]>> = {
  gif: [4, decodeFirst],
  apng: [0, decodeFirst],
  webm: [6, (bytes) => decodeEnds(bytes, 'webm')],
  mp4: [6, (bytes) => decodeEnds(bytes, 'mp4')],
  mkv: [6, (bytes) => decodeEnds(bytes, 'mkv')],
};

/** By Chromium's own engine, and by the package that Node's profilers write with. */
const RECORDS: Readonly<Record<string, (bytes: Buffer) => Promise<readonly string[]>>> = {
  trace: async (bytes) => (await readTrace(bytes)).navigations,
  pprof_cpu: readSampleTypes,
  pprof_memory: readSampleTypes,
};
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  trace: ['http://site.test/article.html'],
  pprof_cpu: ['samples/count', 'cpu/nanoseconds'],
  pprof_memory: ['samples/count', 'inuse_space/bytes'],
};

const plugins = await Promise.all(listPlugins().map(importPlugin));
let host: TestKernel;
let site: Site;
let model: ModelServer;

beforeAll(async () => {
  model = await openModelServer('openai', ({ messages, schema }) => {
    const text = messages[0]?.texts[0] ?? '';
    if (Object.hasOwn(schema?.['properties'] ?? {}, 'actions')) {
      const shown = messages.flatMap(({ texts }) => texts).find((one) => one.startsWith('<page')) ?? '';
      return { value: { actions: [{ kind: 'done', answer: shown.replace(/^<page \w+>/, '<page>'), success: true }] } };
    }
    return schema === undefined ? { text } : { value: { lines: text.split('\n').length } };
  });
  host = createTestKernel({ plugins, flags: { 'llm-format-model': model.connection(), 'navigator-type': [model.connection()] } });
  site = await openPages({ '/data.csv': { headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment' }, body: CSV } });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

async function render(path: string, params: Readonly<Record<string, unknown>>): Promise<Buffer> {
  return await (await host.render({ url: site.url(path), ...SIZE, ...params })).bytes();
}

/** The site's port is another each time. */
const named = (text: string) => text.replaceAll(site.url(''), 'http://site.test');

it('every output type has its line here', () => {
  const types = [...Object.keys({ ...TEXTS, ...STILLS, ...FILMS, ...RECORDS }), 'png', 'download', 'goal'];
  expect(types.sort()).toEqual(plugins.flatMap(({ outputs = [] }) => outputs.map(({ type }) => type)).sort());
});

describe.each(PAGES)('%s', (name) => {
  let picture: Picture;
  beforeAll(async () => {
    picture = await decodePicture(await render(`/${name}.html`, { output_type: 'png' }));
  });

  it.each(Object.entries(TEXTS))('as %s', async (type, read) => {
    const text = named(await read(await render(`/${name}.html`, { output_type: type, ...NEEDED[type] })));
    await expect(text).toMatchFileSnapshot(`expected/${name}.${type}`);
  });

  it.each(Object.entries(STILLS))('as %s is the picture of the png', async (type, [tolerance, decode]) => {
    const { width, height, data } = await decode(await render(`/${name}.html`, { output_type: type }));
    expect([width, height]).toEqual([400, 300]);
    expect(difference(data, picture.data)).toBeLessThanOrEqual(tolerance);
  });
});

it('shapes, which hold no text, are the same picture on every machine', async () => {
  const { width, height, data } = await decodePicture(await render('/shapes.html', { output_type: 'png' }));
  const digest = createHash('sha256').update(data).digest('hex');
  await expect(`${String(width)}x${String(height)} ${digest}\n`).toMatchFileSnapshot('expected/shapes.png.sha256');
});

describe('article', () => {
  it.each(Object.entries(FILMS))('as %s shows the picture of the png', async (type, [tolerance, decode]) => {
    const { data } = await decodePicture(await render('/article.html', { output_type: 'png' }));
    const times = { image_duration: 0.2, image_framerate: 10, video_duration: 0.2, video_framerate: 10 };
    for (const frame of await decode(await render('/article.html', { output_type: type, ...times })))
      expect(difference(frame, withoutAlpha(data))).toBeLessThanOrEqual(tolerance);
  });

  it.each(Object.entries(RECORDS))('as %s', async (type, read) => {
    const found = await read(await render('/article.html', { output_type: type }));
    expect(found.map(named)).toEqual(RECORDED[type]);
  });
});

it('what a navigator says about the page that it was shown', async () => {
  const said = named(String(await render('/article.html', { navigate: 'Read it.' })));
  await expect(said).toMatchFileSnapshot('expected/article.goal');
});

it('a file as download', async () => {
  expect(String(await render('/data.csv', { output_type: 'download' }))).toBe(CSV);
});

function readSampleTypes(bytes: Buffer): Promise<readonly string[]> {
  const { stringTable, sampleType } = Profile.decode(gunzipSync(bytes));
  const text = (at: number | bigint) => stringTable.strings[Number(at)] ?? '';
  return Promise.resolve(sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`));
}

async function decodeFirst(bytes: Buffer): Promise<readonly Uint8Array[]> {
  const { width, height, data } = await decodePicture(bytes);
  expect([width, height]).toEqual([400, 300]);
  return [withoutAlpha(data)];
}

async function decodeEnds(bytes: Buffer, extension: string): Promise<readonly Uint8Array[]> {
  const { width, height, frames } = await decodeVideo(bytes, extension);
  expect([width, height, frames.length]).toEqual([400, 300, 2]);
  return frames;
}

const withoutAlpha = (data: Buffer) => data.filter((_, index) => index % 4 !== 3);

/** By how much channels differ on the average. */
function difference(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? NaN)), 0) / one.length;
}
