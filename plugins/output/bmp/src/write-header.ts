import type { PixelFormat } from './pixel-formats.js';

/** Sizes of BITMAPFILEHEADER and BITMAPV4HEADER: version 4 is the first that can declare sRGB, and every reader supports it. */
const FILE_HEADER = 14;
const INFO_HEADER = 108;

const BI_RGB = 0;
const BI_BITFIELDS = 3;
/** LCS_sRGB (MS-WMF, 2.1.1.14): 'sRGB'. */
const SRGB = 0x73524742;

export interface Dimensions {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Bytes of a row: rows are padded to whole 32-bit words. */
export function strideOf(width: number, { bitsPerPixel }: PixelFormat): number {
  return Math.ceil((width * bitsPerPixel) / 32) * 4;
}

/** Bytes of the whole file. */
export function fileSizeOf({ width, height }: Dimensions, format: PixelFormat): number {
  return FILE_HEADER + INFO_HEADER + format.shades * 4 + strideOf(width, format) * height;
}

/** Everything before the pixels: file header, image header, palette. */
export function writeHeader({ width, height }: Dimensions, format: PixelFormat): Buffer {
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
