import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createDeflate, inflate } from 'node:zlib';
import { type Header, readChunks, readHeader, SIGNATURE, SRGB_CHUNK, writeChunk } from './chunks.js';

const inflateAll = promisify(inflate);

/** Bytes of a pixel by color type, at 8 bits a channel. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/**
 * One PNG from strips of the same width, from top to bottom. One strip's pixels are in memory at a time, and zlib does its work on its
 * own threads. Throws a RangeError for strips that do not fit together.
 */
export async function* stitchTiles(tiles: readonly Buffer[]): AsyncGenerator<Buffer> {
  const header = commonHeader(tiles.map(readHeader));
  yield SIGNATURE;
  yield writeChunk({ type: 'IHDR', data: headerData(header) });
  yield SRGB_CHUNK;
  const packed = createDeflate({ level: 1, chunkSize: 65_536 });
  // An error on one side ends the other, and so the loop below.
  pipeline(Readable.from(scanlines(tiles, header)), packed, () => undefined);
  for await (const data of packed) {
    if (Buffer.isBuffer(data)) yield writeChunk({ type: 'IDAT', data });
  }
  yield writeChunk({ type: 'IEND', data: Buffer.alloc(0) });
}

function commonHeader(headers: readonly Header[]): Header {
  const [first] = headers;
  if (first === undefined) throw new RangeError('no strips');
  const alike = headers.every(
    ({ width, bitDepth, colorType, interlaced }) => width === first.width && bitDepth === 8 && colorType === first.colorType && !interlaced,
  );
  if (!alike || PIXEL_BYTES[first.colorType] === undefined) throw new RangeError('strips of different kinds');
  return { ...first, height: headers.reduce((sum, { height }) => sum + height, 0) };
}

function headerData({ width, height, bitDepth, colorType }: Header): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.writeUInt8(bitDepth, 8);
  data.writeUInt8(colorType, 9);
  return data;
}

async function* scanlines(tiles: readonly Buffer[], { width, colorType }: Header): AsyncGenerator<Buffer> {
  const pixelBytes = PIXEL_BYTES[colorType] ?? 4;
  for (const tile of tiles) {
    const data = [...readChunks(tile)].filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
    const lines = await inflateAll(Buffer.concat(data));
    freeFirstLine(lines.subarray(0, 1 + width * pixelBytes), pixelBytes);
    yield lines;
  }
}

/**
 * A strip's first line was filtered as if the line above were black. Written without a filter it means the same under
 * another line; the lines after it refer to its pixels, which stay.
 */
function freeFirstLine(line: Buffer, pixelBytes: number): void {
  const filter = line[0] ?? 0;
  // With zeros above (PNG third edition, 9.2): Up adds nothing, Average adds half of the left pixel, Paeth all of it.
  const fromLeft = filter === 1 || filter === 4 ? 1 : filter === 3 ? 0.5 : 0;
  if (fromLeft > 0) {
    for (let at = 1 + pixelBytes; at < line.length; at += 1) {
      line[at] = ((line[at] ?? 0) + Math.floor((line[at - pixelBytes] ?? 0) * fromLeft)) & 0xff;
    }
  }
  line[0] = 0;
}
