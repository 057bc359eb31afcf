import { crc32 } from 'node:zlib';

export const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Length of signature and IHDR chunk, where the next chunk begins. */
const HEADER_END = SIGNATURE.length + 25;

export interface Chunk {
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
export const SRGB_CHUNK = writeChunk({ type: 'sRGB', data: Buffer.from([0]) });

const COLOR_SPACES = ['sRGB', 'iCCP', 'cICP'];

/** Adds the color space to the PNG, which the browser omits. */
export function tagSrgb(png: Buffer): Buffer {
  for (const { type } of readChunks(png)) {
    if (COLOR_SPACES.includes(type)) return png;
    if (type === 'IDAT') break;
  }
  return Buffer.concat([png.subarray(0, HEADER_END), SRGB_CHUNK, png.subarray(HEADER_END)]);
}
