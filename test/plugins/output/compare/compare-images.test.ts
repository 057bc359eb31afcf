import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareImages } from '../../../../plugins/output/compare/src/compare-images.js';
import type { Compared, CompareInput } from '../../../../plugins/output/compare/src/compare-worker.js';

const { signal } = new AbortController();

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An image with a text, and boxes of a color. On a gradient their edges would look smoothed. */
function draw(size: { readonly width: number; readonly height: number }, boxes: readonly Box[] = [], text = 'Platen'): Sharp {
  const rects = boxes
    .map(({ x, y, width, height }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#c00"/>`)
    .join('');
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="#eef4ff"/><text x="20" y="60" font-size="40">${text}</text>${rects}</svg>`,
    ),
  );
}

const SIZE = { width: 300, height: 200 };
/** A PNG that states 16,384 rows and columns. */
const HUGE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAQAAAAEAAAQAAAACBsy0pAAAACElEQVR4nAMAAAAAAUgGidIAAAAASUVORK5CYII=', 'base64');
const BASE = await draw(SIZE).png().toBuffer();

async function compare(image: CompareInput['image'], baseline: CompareInput['baseline'] = BASE, more: Partial<CompareInput> = {}) {
  const panels = ['baseline', 'change', 'image'] as const;
  return await compareImages({ image, baseline, threshold: 0.1, antialiasing: false, panels, undrawn: {}, ...more }, { signal });
}

async function comparisonOf(...args: Parameters<typeof compare>): Promise<Compared['comparison']> {
  const found = await compare(...args);
  if ('problem' in found) throw new Error(found.problem);
  return found.comparison;
}

const boxes = [
  { x: 100, y: 90, width: 10, height: 5 },
  { x: 250, y: 150, width: 20, height: 30 },
];

describe('two images', () => {
  it('are equal if all pixels are', async () => {
    expect(await comparisonOf(BASE)).toEqual({ equal: true, pixels: 0, ratio: 0, ...SIZE, baseline: SIZE, regions: [] });
  });

  it('differ in the pixels of the boxes that are new, each a region', async () => {
    const found = await comparisonOf(await draw(SIZE, boxes).png().toBuffer());
    expect(found).toEqual({ equal: false, pixels: 650, ratio: 650 / 60_000, ...SIZE, baseline: SIZE, regions: boxes });
  });

  it.each(['webp', 'avif', 'tiff', 'gif'] as const)('are read as lossless %s', async (format) => {
    const lossless = format === 'webp' || format === 'avif' ? { lossless: true, quality: 100, chromaSubsampling: '4:4:4' } : {};
    const bytes = await draw(SIZE).toFormat(format, lossless).toBuffer();
    // A GIF has 256 colors.
    expect(await comparisonOf(BASE, bytes, { threshold: 0.2 })).toMatchObject({ equal: true });
    expect(await comparisonOf(await draw(SIZE, boxes).png().toBuffer(), bytes, { threshold: 0.2 })).toMatchObject({ pixels: 650 });
  });

  it.each([
    ['wider', { width: 310, height: 200 }, 10 * 200, [{ x: 300, y: 0, width: 10, height: 200 }]],
    ['higher', { width: 300, height: 250 }, 300 * 50, [{ x: 0, y: 200, width: 300, height: 50 }]],
    ['lower and narrower', { width: 290, height: 180 }, 300 * 200 - 290 * 180, undefined],
  ])('that are %s differ where only one is', async (_, { width, height }, pixels, regions) => {
    const cut = await sharp(await draw({ width: 400, height: 300 }).png().toBuffer())
      .extract({ left: 0, top: 0, ...SIZE })
      .png()
      .toBuffer();
    const other = await sharp(await draw({ width: 400, height: 300 }).png().toBuffer())
      .extract({ left: 0, top: 0, width, height })
      .png()
      .toBuffer();
    const found = await comparisonOf(other, cut);
    expect(found).toMatchObject({ equal: false, pixels, width, height, baseline: SIZE });
    if (regions !== undefined) expect(found.regions).toEqual(regions);
    expect(found.ratio).toBe(pixels / (Math.max(width, 300) * Math.max(height, 200)));
  });

  it('differ in their transparency', async () => {
    const clear = await sharp({ create: { ...SIZE, channels: 4, background: '#ffffff00' } })
      .png()
      .toBuffer();
    const white = await sharp({ create: { ...SIZE, channels: 4, background: '#ffffff' } })
      .png()
      .toBuffer();
    expect((await comparisonOf(clear, white)).pixels).toBeGreaterThan(50_000);
    expect(await comparisonOf(clear, clear)).toMatchObject({ equal: true });
  });

  it.each([
    ['text', Buffer.from('no image'), 'it is not png, jpg, webp, avif, tiff or gif'],
    [
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'it is svg: use png, jpg, webp, avif, tiff or gif',
    ],
    ['enormous', HUGE, 'it has more than 268402689 pixels'],
    ['half a PNG', BASE.subarray(0, BASE.length / 2), 'it is damaged'],
    ['nothing', Buffer.of(), 'it is not png, jpg, webp, avif, tiff or gif'],
  ])('cannot be compared if the baseline is %s', async (_, baseline, problem) => {
    expect(await compare(BASE, baseline)).toEqual({ of: 'baseline', problem });
    expect(await compare(baseline, BASE)).toEqual({ of: 'image', problem });
  });

  it('cannot be compared if one moves', async () => {
    const frames = [0, 1].map((at) => ({ create: { ...SIZE, channels: 3 as const, background: { r: 255 * at, g: 0, b: 0 } } }));
    const moving = await sharp(await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer())), { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(await compare(BASE, moving)).toEqual({ of: 'baseline', problem: 'it has 2 frames or pages: use a still image' });
  });

  it('of more than a strip each count the same as in one piece', async () => {
    const size = { width: 4000, height: 5000 };
    const [one, two] = [
      await draw(size).png().toBuffer(),
      await draw(size, [{ x: 7, y: 2090, width: 30, height: 20 }])
        .png()
        .toBuffer(),
    ];
    const found = await comparisonOf(two, one);
    // A strip ends within the box: 2^23 pixels are 2,097 rows.
    expect(found).toMatchObject({ pixels: 600, regions: [{ x: 7, y: 2090, width: 30, height: 20 }] });
  });

  it('have at most 1,001 regions, which cover all that differs', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => ({ x: (at % 40) * 48, y: Math.floor(at / 40) * 48, width: 2, height: 2 }));
    const size = { width: 1920, height: 1440 };
    const { regions, pixels } = await comparisonOf(await draw(size, many, '').png().toBuffer(), await draw(size, [], '').png().toBuffer());
    expect([pixels, regions.length]).toEqual([4800, 1001]);
    expect(
      many.every(({ x, y }) => regions.some((one) => x >= one.x && y >= one.y && x < one.x + one.width && y < one.y + one.height)),
    ).toBe(true);
  });
});

describe('the number of pixels', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-compare-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    [0.1, false],
    [0.1, true],
    [0.02, false],
    [0, true],
  ])('is that of the command pixelmatch, at the threshold %d, edges %s', async (threshold, antialiasing) => {
    const moved = await draw(SIZE, boxes, 'Platem').blur(0.4).png().toBuffer();
    const files = [join(folder, 'one.png'), join(folder, 'two.png')] as const;
    await Promise.all([writeFile(files[0], BASE), writeFile(files[1], moved)]);
    const program = join(createRequire(import.meta.resolve('@platen/plugin-compare')).resolve('pixelmatch'), '../bin/pixelmatch');
    // It exits with 66 for images that differ.
    const printed: { stdout?: string } = await promisify(execFile)(process.execPath, [
      program,
      ...files,
      join(folder, 'out.png'),
      String(threshold),
      String(antialiasing),
    ]).catch((error: unknown) => error as { stdout?: string });
    const [, pixels] = /different pixels: (\d+)/.exec(printed.stdout ?? '') ?? [];
    expect(Number(pixels)).toBeGreaterThan(300);
    expect((await comparisonOf(moved, BASE, { threshold, antialiasing })).pixels).toBe(Number(pixels));
  });
});

describe('the drawing', () => {
  const drawingOf = async (image: Buffer, baseline: Buffer, more: Partial<CompareInput> = {}) => {
    const found = await compare(image, baseline, { undrawn: undefined, ...more });
    if ('problem' in found || found.drawing === undefined) throw new Error('no drawing');
    return sharp(found.drawing);
  };

  it('has the baseline, the change and the image beside each other, with frames', async () => {
    const changed = await draw(SIZE, boxes).png().toBuffer();
    const drawing = await drawingOf(changed, BASE);
    const { data, info } = await drawing.raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([3 * 300 + 2 * 16, 200]);
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3)];
    expect(at(2 * 316 + 105, 92)).toEqual([204, 0, 0]);
    expect(at(316 + 105, 92)).toEqual([217, 0, 38]);
    for (const panel of [0, 316, 632]) expect(at(panel + 98, 92)).toEqual([214, 0, 147]);
    const old = await sharp(BASE).extract({ left: 0, top: 0, width: 90, height: 80 }).removeAlpha().raw().toBuffer();
    expect(await sharp(data, { raw: info }).extract({ left: 0, top: 0, width: 90, height: 80 }).removeAlpha().raw().toBuffer()).toEqual(
      old,
    );
  });

  it('of a tall image has the rows around the regions alone', async () => {
    const size = { width: 4000, height: 5000 };
    const one = { x: 7, y: 4000, width: 30, height: 20 };
    const drawing = await drawingOf(
      await draw(size, [{ ...one, y: 100 }, one])
        .png()
        .toBuffer(),
      await draw(size).png().toBuffer(),
      { panels: ['change'] },
    );
    const { width, height } = await drawing.metadata();
    expect([width, height]).toEqual([4000, 2 * (20 + 2 * 48) + 16]);
  });

  it('is left out within the limits', async () => {
    const changed = await draw(SIZE, boxes).png().toBuffer();
    expect(await compare(changed, BASE, { undrawn: { pixels: 650 } })).not.toHaveProperty('drawing');
    expect(await compare(changed, BASE, { undrawn: { ratio: 0.01 } })).toHaveProperty('drawing');
  });
});
