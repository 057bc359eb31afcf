// Encoding of still pictures, in milliseconds and bytes, beside the library called by hand on the same bitmap: sharp, or cjxl for jpegxl.
// `node test/bench/stills.mjs [rounds]`. The two take turns, so that what else the machine does meets both.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { compare, encoderOf } from './encoders.mjs';

const WIDTH = 1280;
const HEIGHT = 720;
const rounds = Number(process.argv[2] ?? 9);
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));

/** What one would write by hand, at the same settings and tagged as sRGB too. */
const BY_HAND = {
  jpg: (png) => sharp(png).withIccProfile('srgb').flatten({ background: 'white' }).jpeg({ quality: 80 }).toBuffer(),
  webp: (png) => sharp(png).withIccProfile('srgb').webp({ quality: 80, effort: 2 }).toBuffer(),
  avif: (png) => sharp(png).withIccProfile('srgb').avif({ quality: 60, effort: 1, chromaSubsampling: '4:4:4' }).toBuffer(),
  tiff: (png) => sharp(png).withIccProfile('srgb').tiff({ compression: 'deflate', predictor: 'horizontal' }).toBuffer(),
  bmp: writeBmp,
  jpegxl: encodeByCjxl,
};

try {
  const png = await drawPage();
  console.log(
    `${WIDTH} x ${HEIGHT}, a png of ${Math.round(png.length / 1e3)} KB; median of ${rounds}; load average ${loadavg()[0].toFixed(1)}`,
  );
  console.log(['format', 'platen ms', 'by hand ms', 'ratio', 'platen KB', 'by hand KB'].map((text) => text.padStart(11)).join(''));
  for (const [type, byHand] of Object.entries({ png: () => Promise.resolve(png), ...BY_HAND })) {
    const encode = await encoderOf(type);
    const context = { get: () => undefined, params: {}, log: console, signal: new AbortController().signal };
    const ours = async () => (await encode({ format: 'png', data: png, width: WIDTH, height: HEIGHT }, context)).body;
    const { ours: a, theirs: b } = await compare({ ours, theirs: () => byHand(png), rounds });
    const ratio = type === 'png' ? '-' : (a.ms / b.ms).toFixed(2);
    const row = [type, a.ms.toFixed(1), b.ms.toFixed(1), ratio, Math.round(a.bytes / 1e3), Math.round(b.bytes / 1e3)];
    console.log(row.map((cell) => String(cell).padStart(11)).join(''));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Text, flat colours, and something like a photograph: noise under a blur. */
async function drawPage() {
  const lines = Array.from(
    { length: 24 },
    (_, line) => `<text x="20" y="${60 + line * 26}">Line ${line}: the quick brown fox jumps</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-size="17" font-family="sans-serif">
    <rect width="100%" height="100%" fill="#f4f1ea"/><rect width="100%" height="40" fill="#1e1ec8"/>${lines.join('')}</svg>`;
  const noise = { width: 640, height: 480, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } };
  const photograph = await sharp({ create: noise }).blur(3).png().toBuffer();
  return sharp(Buffer.from(svg))
    .composite([{ input: photograph, left: 560, top: 120 }])
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** sharp knows no bmp: its pixels, turned around one by one. */
async function writeBmp(png) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const stride = Math.ceil((info.width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * info.height);
  file.write('BM', 0, 'latin1');
  for (const [at, value] of [
    [2, file.length],
    [10, 54],
    [14, 40],
    [18, info.width],
    [22, info.height],
    [26, 1 | (24 << 16)],
  ])
    file.writeUInt32LE(value, at);
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) {
      const from = (y * info.width + x) * 3;
      const to = 54 + (info.height - 1 - y) * stride + x * 3;
      file[to] = data[from + 2];
      file[to + 1] = data[from + 1];
      file[to + 2] = data[from];
    }
  }
  return file;
}

async function encodeByCjxl(png) {
  const [source, target] = [join(folder, 'page.png'), join(folder, 'page.jxl')];
  writeFileSync(source, png);
  await promisify(execFile)('cjxl', [source, target, '--distance', '1', '--effort', '5', '--num_threads', '0', '--quiet']);
  return readFileSync(target);
}
