import { Readable } from 'node:stream';
import type { EncodeContext, EncodedOutput } from '@platen/kernel';
import type { FramesCapture } from '@platen/plugin-frames';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeApng } from '../../../plugins/output/apng/src/index.js';
import { encodeAvif } from '../../../plugins/output/image/src/avif.js';
import { encodeGif } from '../../../plugins/output/gif/src/index.js';
import { encodeWebp } from '../../../plugins/output/image/src/webp.js';
import { openCheckedFile, runChecker } from '../../helpers/checkers.js';
import { isColour } from '../capture/pictures.js';
import { decodeVideo, pixelAt, probeVideo, type DecodedVideo } from './decode-film.js';
import { AVIFDEC, decodeStill } from './decode-still.js';
import { bytesOf, FIELDS, frameNumberOf, makeVideo, openContext, type VideoOptions } from './videos.js';
import { chunksOf, readDelays } from './frame-delays.js';

async function decodeAvif(bytes: Buffer): Promise<DecodedVideo> {
  const { width, height, data } = await decodeStill(bytes, AVIFDEC);
  return {
    width,
    height,
    frames: [
      await sharp(data, { raw: { width, height, channels: 4 } })
        .removeAlpha()
        .raw()
        .toBuffer(),
    ],
  };
}

interface Format {
  readonly type: string;
  readonly encode: (film: FramesCapture, context: EncodeContext) => Promise<EncodedOutput>;
  /** How far a channel may be off. */
  readonly tolerance: number;
  /** Seconds that each frame is shown, as a program that shares no code with ours reads them. */
  readonly delays: (bytes: Buffer) => Promise<readonly number[]>;
}

const formats: readonly Format[] = [
  { type: 'gif', encode: encodeGif, tolerance: 0, delays: readDelays.gif },
  { type: 'apng', encode: encodeApng, tolerance: 0, delays: readDelays.apng },
  { type: 'avif', encode: encodeAvif, tolerance: 3, delays: readDelays.avif },
  { type: 'webp', encode: encodeWebp, tolerance: 6, delays: readDelays.webp },
];

describe.each(formats)('$type', ({ type, encode, tolerance, delays }) => {
  const animate = async (options?: VideoOptions) => {
    const { context, released } = openContext();
    const output = await encode(await makeVideo(options), context);
    expect(released()).toBe(true);
    return bytesOf(output);
  };

  it('has every frame, in order, in its colours', async () => {
    const film = await decodeVideo(await animate({ frameCount: 12 }), type);
    expect([film.width, film.height]).toEqual([256, 128]);
    expect(film.frames.map((frame) => frameNumberOf(film, frame))).toEqual(Array.from({ length: 12 }, (_, index) => index));
    for (const frame of film.frames) {
      FIELDS.forEach((colour, at) => {
        const pixel = pixelAt(film, frame, [32 + 64 * at, 32]);
        expect(isColour([...pixel, 255], colour, tolerance), `${String(pixel)} for ${String(colour)}`).toBe(true);
      });
    }
  });

  it('of one frame is a picture of it', async () => {
    const bytes = await animate({ framerate: 1, frameCount: 1, first: 3 });
    // ffmpeg 5 reads sequences of avif only.
    const film = type === 'avif' ? await decodeAvif(bytes) : await decodeVideo(bytes, type);
    expect([film.width, film.height]).toEqual([256, 128]);
    expect(film.frames.map((frame) => frameNumberOf(film, frame))).toEqual([3]);
    expect(isColour([...pixelAt(film, film.frames[0], [32, 32]), 255], FIELDS[0], tolerance)).toBe(true);
  });

  it.each([1, 5, 7, 12, 24, 30, 50])('shows each frame as long as it lasts at %i a second', async (framerate) => {
    const frameCount = 9;
    const shown = await delays(await animate({ framerate, frameCount }));
    expect(shown).toHaveLength(frameCount);
    const grain = { gif: 0.0051, webp: 0.002 }[type] ?? 0.0001;
    let end = 0;
    shown.forEach((seconds, index) => {
      end += seconds;
      expect(Math.abs(end - (index + 1) / framerate)).toBeLessThan(grain);
    });
  });

  it.each([
    ['a part of the frames', { crop: { x: 64, y: 0, width: 128, height: 100 } }, [128, 100]],
    ['smaller', { width: 128, height: 64 }, [128, 64]],
    ['larger', { width: 511, height: 255 }, [511, 255]],
    ['a part, smaller', { crop: { x: 64, y: 0, width: 128, height: 100 }, width: 63, height: 49 }, [63, 49]],
  ] as const)('is cropped and scaled: %s', async (_name, options, size) => {
    const film = await decodeVideo(await animate({ frameCount: 3, first: 5, ...options }), type);
    expect([film.width, film.height]).toEqual(size);
    expect(film.frames).toHaveLength(3);
    const [width, height] = size;
    const shown = 'crop' in options ? FIELDS.slice(1, 3) : FIELDS;
    shown.forEach((colour, at) => {
      const pixel = pixelAt(film, film.frames[2], [Math.floor(((at + 0.5) * width) / shown.length), Math.floor(height / 4)]);
      expect(isColour([...pixel, 255], colour, Math.max(tolerance, 2)), `${String(pixel)} for ${String(colour)}`).toBe(true);
    });
  });

  it('takes frames as jpeg too', async () => {
    const film = await decodeVideo(await animate({ format: 'jpeg', frameCount: 3 }), type);
    expect(film.frames.map((frame) => frameNumberOf(film, frame))).toEqual([0, 1, 2]);
    expect(isColour([...pixelAt(film, film.frames[0], [32, 32]), 255], FIELDS[0], tolerance + 3)).toBe(true);
  });

  it('lasts as long where nothing moves', async () => {
    const bytes = await animate({ frameCount: 10, moves: 1 });
    // libwebp makes one picture of equal frames; the others keep their number.
    if (type !== 'webp') expect((await delays(bytes)).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(2, 2);
    const film = await decodeVideo(bytes, type);
    expect(frameNumberOf(film, film.frames.at(-1))).toBe(0);
  });
});

describe('gif', () => {
  it('is the same where its frames are too many to be held unpacked', async () => {
    const size = { sourceWidth: 1024, sourceHeight: 512 };
    const [small, large] = await Promise.all(
      [30, 130].map(async (frameCount) =>
        bytesOf(await encodeGif(await makeVideo({ ...size, frameCount, moves: 30 }), openContext().context)),
      ),
    );
    expect(1024 * 512 * 4 * 30).toBeLessThan(2 ** 28);
    expect(1024 * 512 * 4 * 130).toBeGreaterThan(2 ** 28);
    const [few, many] = await Promise.all([small, large].map((bytes) => decodeVideo(bytes ?? Buffer.alloc(0), 'gif')));
    expect(few?.frames.map((frame) => frameNumberOf(few, frame))).toEqual(Array.from({ length: 30 }, (_, index) => index));
    expect(many?.frames).toHaveLength(130);
    expect(many?.frames.slice(0, 30).every((frame, index) => frame.equals(few?.frames[index] ?? Buffer.alloc(0)))).toBe(true);
  });

  it('has one palette for the whole animation', async () => {
    const bytes = await bytesOf(await encodeGif(await makeVideo({ frameCount: 12 }), openContext().context));
    await using file = await openCheckedFile(bytes, 'gif');
    const text = String(await runChecker('gifsicle', ['--color-info', file.path]));
    const tables = text.split('color table').slice(1);
    expect(tables.length).toBeGreaterThan(0);
    // Where the transparent entry stands differs.
    expect(new Set(tables.map((table) => [...new Set(table.match(/#[0-9A-F]{6}/g))].sort().join())).size).toBe(1);
  });
});

/** Frames of noise under a flat field; `colour` gives the colours of the noise. */
async function noisyVideo(colour: (pixel: number) => number) {
  const [width, height, frameCount] = [512, 256, 4];
  const frames = await Promise.all(
    Array.from({ length: frameCount }, (_, frame) => {
      const pixels = Buffer.alloc(width * height * 3, Buffer.from([0x1b, 0x5e, 0xc9]));
      for (let at = (width * height) / 2; at < width * height; at++) pixels.writeUIntBE(colour(at + frame * 7919), at * 3, 3);
      return sharp(pixels, { raw: { width, height, channels: 3 } })
        .png({ compressionLevel: 1 })
        .toBuffer();
    }),
  );
  const size = { width, height, sourceWidth: width, sourceHeight: height };
  const film = { ...size, format: 'png', framerate: 5, frameCount, method: 'live', frames: Readable.from(frames) } as const;
  const gif = await decodeVideo(await bytesOf(await encodeGif(film, openContext().context)), 'gif');
  return { gif, raw: await Promise.all(frames.map((frame) => sharp(frame).removeAlpha().raw().toBuffer())) };
}

/** Numbers without order, the same at every run. */
const scatter = (pixel: number) => (Math.imul(pixel + 1, 0x9e3779b1) ^ Math.imul(pixel >>> 3, 0x85ebca6b)) >>> 8;

describe('gif of many colours', () => {
  it('keeps flat colours beside photographs exact, and photographs near', async () => {
    const { gif, raw } = await noisyVideo(scatter);
    expect(gif.frames).toHaveLength(raw.length);
    gif.frames.forEach((frame, index) => {
      const half = frame.length / 2;
      expect(frame.subarray(0, half).equals(raw[index]?.subarray(0, half) ?? Buffer.alloc(0))).toBe(true);
      let error = 0;
      for (let at = half; at < frame.length; at++) error += Math.abs((frame[at] ?? 0) - (raw[index]?.[at] ?? 255));
      // All colours there are, by 255 of them: a cube of six a side is 51 wide, so 13 off.
      expect(error / half).toBeLessThan(16);
    });
  });

  it('is exact where the noise has no more colours than a palette', async () => {
    const { gif, raw } = await noisyVideo((pixel) => (scatter(pixel) % 200) * 0x010307 + 1);
    gif.frames.forEach((frame, index) => expect(frame.equals(raw[index] ?? Buffer.alloc(0))).toBe(true));
  });
});

describe('apng', () => {
  it('says before its first picture how many follow, that they repeat, and that they are sRGB', async () => {
    const bytes = await bytesOf(await encodeApng(await makeVideo({ frameCount: 7 }), openContext().context));
    const chunks = chunksOf(bytes);
    const types = chunks.map(({ type }) => type);
    expect(types.indexOf('acTL')).toBeGreaterThan(0);
    expect(types.indexOf('acTL')).toBeLessThan(types.indexOf('IDAT'));
    expect(types.indexOf('sRGB')).toBe(1);
    expect([...(chunks[types.indexOf('acTL')]?.data ?? [])]).toEqual([0, 0, 0, 7, 0, 0, 0, 0]);
    await using file = await openCheckedFile(bytes, 'png');
    expect(String(await runChecker('identify', [file.path]))).toContain('256x128');
  });
});

describe('avif', () => {
  it('is sRGB in full range', async () => {
    const bytes = await bytesOf(await encodeAvif(await makeVideo(), openContext().context));
    expect(await probeVideo(bytes, 'avif')).toMatchObject({
      ...{ codec_name: 'av1', color_range: 'pc', color_space: 'bt709' },
      ...{ color_primaries: 'bt709', color_transfer: 'iec61966-2-1' },
    });
  });

  it.each(['libaom-av1', 'libsvtav1'])('can be made by %s', async (encoder) => {
    const { context } = openContext({ encoders: [encoder] });
    const film = await decodeVideo(await bytesOf(await encodeAvif(await makeVideo({ frameCount: 5 }), context)), 'avif');
    expect(film.frames.map((frame) => frameNumberOf(film, frame))).toEqual([0, 1, 2, 3, 4]);
  });
});
