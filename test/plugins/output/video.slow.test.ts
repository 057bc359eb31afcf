import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import type { EncodeContext, EncodedOutput } from '@platen/kernel';
import type { FramesCapture } from '@platen/plugin-frames';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeMkv } from '../../../plugins/output/video/src/mkv.js';
import { encodeMp4 } from '../../../plugins/output/video/src/mp4.js';
import { encodeWebm } from '../../../plugins/output/video/src/webm.js';
import { openCheckedFile, runChecker } from '../../helpers/checkers.js';
import { isColour } from '../capture/pictures.js';
import { decodeVideo, pixelAt, probeVideo } from './decode-film.js';
import { bytesOf, FIELDS, frameNumberOf, makeVideo, openContext, type VideoOptions } from './videos.js';

interface Format {
  readonly type: string;
  readonly encode: (film: FramesCapture, context: EncodeContext) => Promise<EncodedOutput>;
  readonly codec: string;
  /** Frames from one keyframe to the next, at most. */
  readonly keyframes: number;
}

const formats: readonly Format[] = [
  { type: 'mp4', encode: encodeMp4, codec: 'h264', keyframes: 250 },
  { type: 'mkv', encode: encodeMkv, codec: 'h264', keyframes: 250 },
  { type: 'webm', encode: encodeWebm, codec: 'vp9', keyframes: 128 },
];

async function mkvinfo(bytes: Buffer): Promise<string> {
  await using file = await openCheckedFile(bytes, 'mkv');
  return String(await runChecker('mkvinfo', ['--all', file.path]));
}

/** Text on flat colour, 640 x 360. */
function drawText(): Promise<Buffer> {
  const lines = Array.from(
    { length: 18 },
    (_, line) => `<text x="10" y="${String(20 + line * 19)}">Line ${String(line)}: the quick brown fox</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" font-size="15"><rect width="100%" height="100%" fill="#f4f1ea"/>${lines.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten().jpeg({ quality: 90 }).toBuffer();
}

/** Names of the boxes of an mp4, in order. */
function boxesOf(mp4: Buffer): readonly string[] {
  const names = [];
  for (let at = 0; at < mp4.length; at += mp4.readUInt32BE(at)) names.push(mp4.toString('latin1', at + 4, at + 8));
  return names;
}

describe.each(formats)('$type', ({ type, encode, codec, keyframes }) => {
  const film = async (options?: VideoOptions, encoders?: readonly string[]) => {
    const { context, released } = openContext(encoders === undefined ? {} : { encoders });
    const output = await encode(await makeVideo({ format: 'jpeg', ...options }), context);
    expect(released()).toBe(true);
    return bytesOf(output);
  };

  it('of one frame has that frame', async () => {
    const decoded = await decodeVideo(await film({ framerate: 1, frameCount: 1, first: 3 }), type);
    expect(decoded.frames.map((frame) => frameNumberOf(decoded, frame))).toEqual([3]);
  });

  it.each([
    [1, 3],
    [12, 15],
    [25, 30],
    [30, 14],
    [60, 90],
  ])('has a constant %i frames a second, and lasts as long as its %i frames', async (framerate, frameCount) => {
    const probe = await probeVideo(await film({ framerate, frameCount, moves: 10 }), type);
    expect(probe).toMatchObject({
      ...{ codec_name: codec, pix_fmt: 'yuv420p', width: 256, height: 128 },
      ...{ color_range: 'tv', color_space: 'bt709', color_primaries: 'bt709', color_transfer: 'bt709' },
      ...{ r_frame_rate: `${String(framerate)}/1`, nb_read_frames: String(frameCount) },
    });
    expect(Math.abs(probe.duration - frameCount / framerate)).toBeLessThan(0.002);
  });

  it.each(['jpeg', 'png'] as const)('has every frame, in order, in its colours, from frames as %s', async (format) => {
    const decoded = await decodeVideo(await film({ format, framerate: 25, frameCount: 14 }), type);
    expect(decoded.frames.map((frame) => frameNumberOf(decoded, frame))).toEqual(Array.from({ length: 14 }, (_, index) => index));
    for (const frame of decoded.frames) {
      FIELDS.forEach((colour, at) => {
        const pixel = pixelAt(decoded, frame, [32 + 64 * at, 32]);
        expect(isColour([...pixel, 255], colour, 4), `${String(pixel)} for ${String(colour)}`).toBe(true);
      });
    }
  });

  it('gets one more line of pixels where a side is odd, the last one again', async () => {
    const decoded = await decodeVideo(await film({ frameCount: 3, crop: { x: 0, y: 0, width: 225, height: 61 } }), type);
    expect([decoded.width, decoded.height]).toEqual([226, 62]);
    for (const at of [
      [224, 20],
      [225, 20],
      [210, 61],
    ] as const) {
      const pixel = pixelAt(decoded, decoded.frames[1], at);
      expect(isColour([...pixel, 255], FIELDS[3], 4), String(pixel)).toBe(true);
    }
  });

  it('is cropped and scaled', async () => {
    const crop = { x: 64, y: 0, width: 128, height: 128 };
    const decoded = await decodeVideo(await film({ frameCount: 3, crop, width: 320, height: 320 }), type);
    expect([decoded.width, decoded.height]).toEqual([320, 320]);
    [FIELDS[1], FIELDS[2]].forEach((colour, at) => {
      const pixel = pixelAt(decoded, decoded.frames[0], [80 + 160 * at, 80]);
      expect(isColour([...pixel, 255], colour, 4), String(pixel)).toBe(true);
    });
  });

  it('has an index with the keyframes to jump to, at most so many frames apart', async () => {
    const bytes = await film({ framerate: 60, frameCount: 300, moves: 2 });
    if (type === 'mp4') {
      expect(boxesOf(bytes).filter((name) => name === 'moov' || name === 'mdat')).toEqual(['moov', 'mdat']);
    } else {
      const text = await mkvinfo(bytes);
      expect(text).toMatch(/Duration: 00:00:05/);
      expect(text).toMatch(/Seek ID: .*KaxCues/);
      expect(text.match(/Cue time: (\S+)/g)?.length).toBe(Math.ceil(300 / keyframes));
    }
    await using file = await openCheckedFile(bytes, type);
    const args = ['-v', 'error', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0', file.path];
    const times = String(await runChecker('ffprobe', args))
      .trim()
      .split('\n')
      .filter((line) => line.includes('K'))
      .map((line) => parseFloat(line));
    expect(times.map((time) => Math.round(time * 60))).toEqual(
      Array.from({ length: Math.ceil(300 / keyframes) }, (_, at) => at * keyframes),
    );
  });

  it('of a page that stands still is at most 1.5 times as large as ffmpeg makes it by default', async () => {
    const [frame, framerate, frameCount] = [await drawText(), 25, 100];
    const size = { width: 640, height: 360, sourceWidth: 640, sourceHeight: 360 };
    const frames = Array.from({ length: frameCount }, () => frame);
    const capture = { format: 'jpeg', method: 'live', framerate, frameCount, ...size, frames: Readable.from(frames) } as const;
    const ours = await bytesOf(await encode(capture, openContext().context));
    await using file = await openCheckedFile(Buffer.concat(frames), 'mjpeg');
    const byDefault = file.beside(`default.${type}`);
    await runChecker('ffmpeg', ['-v', 'error', '-f', 'mjpeg', '-framerate', String(framerate), '-i', file.path, byDefault]);
    expect(ours.length / (await stat(byDefault)).size).toBeLessThan(1.5);
  });

  it('comes out of a file without a name', async () => {
    const { body } = await encode(await makeVideo({ format: 'jpeg' }), openContext().context);
    expect(body).toBeInstanceOf(Readable);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(`platen-video-${String(process.pid)}-`))).toEqual([]);
    if (body instanceof Readable) body.destroy();
  });
});

it('a webm is VP8 where the host has no VP9', async () => {
  const film = await makeVideo({ format: 'jpeg', frameCount: 5 });
  const bytes = await bytesOf(await encodeWebm(film, openContext({ encoders: ['libvpx'] }).context));
  expect(await probeVideo(bytes, 'webm')).toMatchObject({ codec_name: 'vp8', nb_read_frames: '5', color_space: 'bt709' });
});
