// Encoding of films, in milliseconds and bytes, beside ffmpeg called by hand on the same bitmaps. `node test/bench/encode.mjs [rounds] [formats]`.
// The two take turns, so that what else the machine does meets both.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createFfmpegSource } from '@platen/lib-ffmpeg-host';
import sharp from 'sharp';
import { compare, encoderOf } from './encoders.mjs';

const WIDTH = 1280;
const HEIGHT = 720;
const IMAGE = { format: 'png', framerate: 5, frameCount: 25 };
const VIDEO = { format: 'jpeg', framerate: 25, frameCount: 125 };

/** What one would write by hand: the same encoder at the same settings, and ffmpeg's own way with the rest. */
const BY_HAND = {
  gif: ['-filter_complex', 'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none:diff_mode=rectangle', '-loop', '0'],
  apng: ['-pix_fmt', 'rgb24', '-plays', '0'],
  webp: ['-c:v', 'libwebp_anim', '-quality', '80', '-compression_level', '2', '-loop', '0'],
  avif: ['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-crf', '24', '-b:v', '0', '-pix_fmt', 'yuv444p'],
  webm: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-b:v', '0', '-crf', '30'],
  mkv: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-aq-strength', '1.2'],
  mp4: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-aq-strength', '1.2', '-movflags', '+faststart'],
};
const VIDEO_ARGUMENTS = ['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p', '-colorspace', 'bt709'];

const rounds = Number(process.argv[2] ?? 5);
const types = process.argv[3]?.split(',') ?? Object.keys(BY_HAND);
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const source = createFfmpegSource();

try {
  const pictures = { png: await drawFrames('png', IMAGE.frameCount), jpeg: await drawFrames('jpeg', VIDEO.frameCount) };
  console.log(
    `${WIDTH} x ${HEIGHT}: images ${IMAGE.frameCount} frames of png, videos ${VIDEO.frameCount} frames of jpeg; median of ${rounds}; load average ${loadavg()[0].toFixed(1)}`,
  );
  console.log(['format', 'platen ms', 'ffmpeg ms', 'ratio', 'platen KB', 'ffmpeg KB'].map((text) => text.padStart(10)).join(''));
  for (const type of types) {
    const film = ['webm', 'mkv', 'mp4'].includes(type) ? VIDEO : IMAGE;
    const encode = await encoderOf(type);
    const ours = () => encodeOurs(encode, { ...film, frames: pictures[film.format] });
    const theirs = () => encodeByHand(type, { ...film, frames: pictures[film.format] });
    const { ours: a, theirs: b } = await compare({ ours, theirs, rounds });
    const row = [type, Math.round(a.ms), Math.round(b.ms), (a.ms / b.ms).toFixed(2), Math.round(a.bytes / 1e3), Math.round(b.bytes / 1e3)];
    console.log(row.map((cell) => String(cell).padStart(10)).join(''));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** A page of flat colours, a gradient and text, on which a block moves. */
function drawFrames(format, count) {
  const fields = ['#c81e1e', '#1ec81e', '#1e1ec8', '#808080'];
  const text = Array.from(
    { length: 12 },
    (_, line) => `<text x="20" y="${360 + line * 22}">Line ${line}: the quick brown fox jumps</text>`,
  );
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-size="17" font-family="sans-serif">
        <linearGradient id="g"><stop stop-color="#f80"/><stop offset="1" stop-color="#04c"/></linearGradient>
        <rect width="100%" height="100%" fill="#f4f1ea"/>
        ${fields.map((fill, at) => `<rect x="${at * 320}" width="320" height="200" fill="${fill}"/>`).join('')}
        <rect y="200" width="100%" height="120" fill="url(#g)"/>${text.join('')}
        <rect x="${(index * 40) % 1240}" y="640" width="40" height="60"/></svg>`;
      const image = sharp(Buffer.from(svg)).removeAlpha();
      return format === 'png' ? image.png({ compressionLevel: 1 }).toBuffer() : image.jpeg({ quality: 90 }).toBuffer();
    }),
  );
}

async function encodeOurs(encode, { frames, ...film }) {
  const log = { error: console.error };
  const context = { get: () => source, log, release() {}, signal: new AbortController().signal };
  const sizes = { width: WIDTH, height: HEIGHT, sourceWidth: WIDTH, sourceHeight: HEIGHT };
  const { body } = await encode({ ...film, ...sizes, frames: Readable.from(frames) }, context);
  return Buffer.isBuffer(body) ? body : buffer(body);
}

async function encodeByHand(type, { frames, format, framerate }) {
  const path = join(folder, `film.${type}`);
  const input = ['-f', 'image2pipe', '-c:v', format === 'png' ? 'png' : 'mjpeg', '-framerate', String(framerate), '-i', '-'];
  const extra = format === 'jpeg' ? VIDEO_ARGUMENTS : [];
  const child = spawn('ffmpeg', ['-v', 'error', '-y', ...input, ...extra, ...BY_HAND[type], path], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  Readable.from(frames).pipe(child.stdin);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`ffmpeg could not make the ${type}`);
  return readFileSync(path);
}
