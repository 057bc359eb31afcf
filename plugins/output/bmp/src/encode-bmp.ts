import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { RasterPixels } from '@platen/lib-raster';
import type { PixelFormat } from './pixel-formats.js';
import { fileSizeOf, strideOf, writeHeader } from './write-header.js';

/** Bytes per chunk: some 0.2 ms of work, after which the event loop is released. */
const CHUNK_BYTES = 128 * 1024;

/** Larger files are generated while they are sent: memory then holds one copy of the pixels instead of two. */
const STREAM_ABOVE_BYTES = 32 * 1024 * 1024;

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
