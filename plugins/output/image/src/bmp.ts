import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { definePlugin, type EncodeContext, type EncodedOutput, type Fragments, type InferParams } from '@platen/kernel';
import { decodeRaster, encodeOutput, type RasterPixels } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

const BMP_PARAMS = {
  bmp_pixel_format: {
    type: 'string',
    enum: ['bgr24', 'rgb565le', 'gray8'],
    description: 'Pixel format of BMP output. Other output types ignore it.',
    default: 'bgr24',
    examples: ['rgb565le'],
  },
} as const satisfies Fragments;

export default definePlugin({
  name: 'bmp',
  requires: ['screenshot'],
  outputs: [{ type: 'bmp', from: 'screenshot', contentType: 'image/bmp', extension: 'bmp' }],
  params: BMP_PARAMS,
  apply({ hooks }) {
    hooks.encode.for('bmp').tapPromise('bmp', createBmp);
  },
});

type BmpParams = InferParams<typeof BMP_PARAMS>;

interface Dimensions {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** How a pixel is stored. The names are those of ffmpeg's pixel formats. */
interface PixelFormat {
  readonly bitsPerPixel: 8 | 16 | 24;
  /** Red, green and blue masks if the format needs them (BI_BITFIELDS); else the bit count defines the format (BI_RGB). */
  readonly masks?: readonly [number, number, number];
  /** Number of shades of gray in the palette, from black to white; 0: no palette. */
  readonly shades: 0 | 256;
  /** Writes one row: `source` holds red, green and blue bytes, and may be overwritten; `target` has exactly the pixels' size. */
  writeRow(source: Uint8Array, target: Uint8Array): void;
}

export const PIXEL_FORMATS = {
  bgr24: { bitsPerPixel: 24, shades: 0, writeRow: writeBgr24 },
  rgb565le: { bitsPerPixel: 16, masks: [0xf800, 0x07e0, 0x001f], shades: 0, writeRow: writeRgb565 },
  gray8: { bitsPerPixel: 8, shades: 256, writeRow: writeGray8 },
} as const satisfies Readonly<Record<string, PixelFormat>>;

export type PixelFormatName = keyof typeof PIXEL_FORMATS;

/** An 8-bit value rounded to 5 and to 6 bits. */
const FIVE_BITS = Uint8Array.from({ length: 256 }, (_, value) => Math.round((value * 31) / 255));
const SIX_BITS = Uint8Array.from({ length: 256 }, (_, value) => Math.round((value * 63) / 255));

/** Sizes of BITMAPFILEHEADER and BITMAPV4HEADER: version 4 is the first that can declare sRGB, and every reader supports it. */
const FILE_HEADER = 14;
const INFO_HEADER = 108;

/** Values of the header's compression field. */
const BI_RGB = 0;
const BI_BITFIELDS = 3;

/** LCS_sRGB (MS-WMF, 2.1.1.14): 'sRGB'. */
const SRGB = 0x73524742;

/** Bytes per chunk: some 0.2 ms of work, after which the event loop is released. */
const CHUNK_BYTES = 128 * 1024;

/** Larger files are generated while they are sent: memory then holds one copy of the pixels instead of two. */
const STREAM_ABOVE_BYTES = 32 * 1024 * 1024;

export async function createBmp({ data }: ScreenshotCapture, { params, signal }: EncodeContext<BmpParams>): Promise<EncodedOutput> {
  const format = PIXEL_FORMATS[params.bmp_pixel_format ?? 'bgr24'];
  const body = await encodeOutput('bmp', signal, async () => encodeBmp(await decodeRaster(data, { signal }), format));
  return { body };
}

/** Encodes a Windows bitmap according to its header: a buffer, or a stream if it is large. Overwrites the pixels. */
export async function encodeBmp(pixels: RasterPixels, format: PixelFormat): Promise<Buffer | Readable> {
  const size = fileSizeOf(pixels, format);
  if (size > STREAM_ABOVE_BYTES) return Readable.from(bmpChunks(pixels, format, allocate), { objectMode: false });
  const file = allocate(size);
  let at = 0;
  for await (const chunk of bmpChunks(pixels, format, (bytes) => file.subarray(at, at + bytes))) at += chunk.length;
  return file;
}

/** Zeroed, because the padding is part of the file. */
function allocate(bytes: number): Buffer {
  return Buffer.alloc(bytes);
}

/** The file from its beginning, each chunk in its own buffer; rows from the bottom of the image. */
async function* bmpChunks(
  { data, width, height }: RasterPixels,
  format: PixelFormat,
  placeOf: (bytes: number) => Buffer,
): AsyncGenerator<Buffer> {
  const header = writeHeader({ width, height }, format);
  const start = placeOf(header.length);
  start.set(header);
  yield start;
  const stride = strideOf(width, format);
  const rowBytes = (width * format.bitsPerPixel) / 8;
  const rowsAtOnce = Math.max(1, Math.floor(CHUNK_BYTES / stride));
  for (let bottom = height; bottom > 0; bottom -= rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, bottom);
    const chunk = placeOf(rows * stride);
    for (let row = 0; row < rows; row += 1) {
      const from = (bottom - 1 - row) * width * 3;
      format.writeRow(data.subarray(from, from + width * 3), chunk.subarray(row * stride, row * stride + rowBytes));
    }
    yield chunk;
    await setImmediate();
  }
}

/** Bytes of a row: rows are padded to whole 32-bit words. */
function strideOf(width: number, { bitsPerPixel }: PixelFormat): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

/** Bytes of the whole file. */
function fileSizeOf({ width, height }: Dimensions, format: PixelFormat): number {
  return FILE_HEADER + INFO_HEADER + format.shades * 4 + strideOf(width, format) * height;
}

/** Everything before the pixels: file header, image header, palette. */
function writeHeader({ width, height }: Dimensions, format: PixelFormat): Buffer {
  const size = fileSizeOf({ width, height }, format);
  const pixelBytes = strideOf(width, format) * height;
  const header = Buffer.alloc(size - pixelBytes);
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(size, 2);
  header.writeUInt32LE(header.length, 10);
  writeInfo(header.subarray(FILE_HEADER), { width, height, pixelBytes, format });
  for (let shade = 0; shade < format.shades; shade += 1) {
    header.fill(shade, FILE_HEADER + INFO_HEADER + shade * 4, FILE_HEADER + INFO_HEADER + shade * 4 + 3);
  }
  return header;
}

interface Info extends Dimensions {
  readonly pixelBytes: number;
  readonly format: PixelFormat;
}

function writeInfo(info: Buffer, { width, height, pixelBytes, format }: Info): void {
  info.writeUInt32LE(INFO_HEADER, 0);
  info.writeInt32LE(width, 4);
  // Positive: rows are stored bottom-up.
  info.writeInt32LE(height, 8);
  info.writeUInt16LE(1, 12);
  info.writeUInt16LE(format.bitsPerPixel, 14);
  info.writeUInt32LE(format.masks === undefined ? BI_RGB : BI_BITFIELDS, 16);
  info.writeUInt32LE(pixelBytes, 20);
  info.writeUInt32LE(format.shades, 32);
  format.masks?.forEach((mask, index) => info.writeUInt32LE(mask, 40 + index * 4));
  info.writeUInt32LE(SRGB, 56);
}

/** Swapped in place and copied in one operation: a third of the time that writing byte by byte into new memory takes. */
function writeBgr24(source: Uint8Array, target: Uint8Array): void {
  for (let at = 0; at < source.length; at += 3) {
    const red = source[at] ?? 0;
    source[at] = source[at + 2] ?? 0;
    source[at + 2] = red;
  }
  target.set(source);
}

function writeRgb565(source: Uint8Array, target: Uint8Array): void {
  for (let from = 0, to = 0; from < source.length; from += 3, to += 2) {
    const red = FIVE_BITS[source[from] ?? 0] ?? 0;
    const green = SIX_BITS[source[from + 1] ?? 0] ?? 0;
    const blue = FIVE_BITS[source[from + 2] ?? 0] ?? 0;
    const pixel = (red << 11) | (green << 5) | blue;
    target[to] = pixel & 0xff;
    target[to + 1] = pixel >> 8;
  }
}

/** Luma weights of BT.601, which JFIF and ffmpeg use too, in 1/65,536. */
function writeGray8(source: Uint8Array, target: Uint8Array): void {
  for (let from = 0, to = 0; from < source.length; from += 3, to += 1) {
    target[to] = (19_595 * (source[from] ?? 0) + 38_470 * (source[from + 1] ?? 0) + 7_471 * (source[from + 2] ?? 0) + 32_768) >> 16;
  }
}
