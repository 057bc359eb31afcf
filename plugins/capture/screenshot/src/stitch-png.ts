import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createDeflate, inflate } from 'node:zlib';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length of signature and IHDR chunk, where the next chunk begins. */
const HEADER_END = SIGNATURE.length + 25;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

export interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly interlaced: boolean;
}

/** The IHDR chunk (PNG third edition, 11.2.1). */
export function readHeader(png: Buffer): Header {
  if (png.length < HEADER_END || !png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new RangeError('not a png');
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    bitDepth: png.readUInt8(24),
    colorType: png.readUInt8(25),
    interlaced: png.readUInt8(28) !== 0,
  };
}

export function* readChunks(png: Buffer): Generator<Chunk> {
  for (let offset = SIGNATURE.length; offset + 12 <= png.length;) {
    const length = png.readUInt32BE(offset);
    yield { type: png.toString('latin1', offset + 4, offset + 8), data: png.subarray(offset + 8, offset + 8 + length) };
    offset += 12 + length;
  }
}

export function writeChunk({ type, data }: Chunk): Buffer {
  const chunk = Buffer.allocUnsafe(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** Declares the colors as sRGB, perceptual intent (PNG third edition, 11.3.2.5). */
const SRGB_CHUNK = writeChunk({ type: 'sRGB', data: Buffer.from([0]) });

const COLOR_SPACES = ['sRGB', 'iCCP', 'cICP'];

/** Adds the color space to the PNG, which the browser omits. */
export function tagSrgb(png: Buffer): Buffer {
  for (const { type } of readChunks(png)) {
    if (COLOR_SPACES.includes(type)) return png;
    if (type === 'IDAT') break;
  }
  return Buffer.concat([png.subarray(0, HEADER_END), SRGB_CHUNK, png.subarray(HEADER_END)]);
}

const inflateAll = promisify(inflate);

/** Color types. The browser writes a strip without transparent pixels as RGB. */
const RGB = 2;
const RGBA = 6;

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
  const colorTypes = [...new Set(headers.map(({ colorType }) => colorType))].sort();
  const colorType = colorTypes.join() === `${String(RGB)},${String(RGBA)}` ? RGBA : first.colorType;
  const isFit = (header: Header) => header.colorType === colorType || (colorType === RGBA && header.colorType === RGB);
  const alike = headers.every((header) => header.width === first.width && header.bitDepth === 8 && isFit(header) && !header.interlaced);
  if (!alike || PIXEL_BYTES[colorType] === undefined) throw new RangeError('strips of different kinds');
  return { ...first, colorType, height: headers.reduce((sum, { height }) => sum + height, 0) };
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
  for (const tile of tiles) {
    const { colorType: own } = readHeader(tile);
    const pixelBytes = PIXEL_BYTES[own] ?? 4;
    const data = [...readChunks(tile)].filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
    const lines = await inflateAll(Buffer.concat(data));
    freeFirstLine(lines.subarray(0, 1 + width * pixelBytes), pixelBytes);
    yield own === colorType ? lines : addAlpha(lines, width);
  }
}

/** Filtered RGB lines as RGBA, opaque. The filters stay: what they refer to is the same channel of another pixel. */
function addAlpha(lines: Buffer, width: number): Buffer {
  const rows = lines.length / (1 + width * 3);
  const target = Buffer.alloc(rows * (1 + width * 4));
  for (let row = 0, from = 0, to = 0; row < rows; row += 1) {
    const filter = lines[from] ?? 0;
    target[to] = filter;
    [from, to] = [from + 1, to + 1];
    for (let x = 0; x < width; x += 1, from += 3, to += 4) {
      target[to] = lines[from] ?? 0;
      target[to + 1] = lines[from + 1] ?? 0;
      target[to + 2] = lines[from + 2] ?? 0;
      target[to + 3] = x === 0 ? (FIRST_ALPHA[filter] ?? 0) : filter === 0 ? 255 : 0;
    }
  }
  return target;
}

/** The filtered alpha of a line's first pixel under an opaque line, by filter (PNG third edition, 9.2). The others add nothing. */
const FIRST_ALPHA = [255, 255, 0, 128, 0];

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
