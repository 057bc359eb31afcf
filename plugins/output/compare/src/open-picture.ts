import { decodeRows, type ImageHeader, type ImageSource, readImageHeader, type RowRange } from '@platen/lib-raster/rows';
import type { Size } from './comparison.js';

/** A still picture whose rows are decoded on demand. */
export interface Picture extends Size {
  /** Red, green, blue and alpha of these rows, widened to that width. What the picture does not have is transparent. */
  read(rows: RowRange, width: number): Promise<Uint8Array>;
}

/** One of the files is not a picture that can be compared; the message is a clause for the client. */
export class UnreadablePicture extends Error {
  readonly of: 'picture' | 'baseline';

  constructor(of: 'picture' | 'baseline', message: string, cause?: unknown) {
    super(message, { cause });
    this.of = of;
  }
}

/** libvips's names. Others, such as SVG and PDF, are drawn, not decoded. */
const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'heif', 'avif', 'tiff', 'gif']);

/** @throws UnreadablePicture if it is none of the formats, or not still */
export async function openPicture(of: 'picture' | 'baseline', source: ImageSource): Promise<Picture> {
  const { width, height, format, pages } = await readHeader(of, source);
  if (!FORMATS.has(format)) throw new UnreadablePicture(of, `it is ${format}: use png, jpg, webp, avif, tiff or gif`);
  if (pages > 1) throw new UnreadablePicture(of, `it has ${String(pages)} frames or pages: use a still picture`);
  const decode = async ({ top, height: rows }: RowRange): Promise<Uint8Array> => {
    try {
      return await decodeRows(source, { top, height: rows });
    } catch (cause) {
      throw new UnreadablePicture(of, 'it is damaged', cause);
    }
  };
  return {
    ...{ width, height },
    async read({ top, height: wanted }, wide) {
      const own = Math.max(0, Math.min(height - top, wanted));
      const rows = own === 0 ? new Uint8Array() : await decode({ top, height: own });
      return own === wanted && width === wide && rows.byteOffset % 4 === 0 ? rows : widen(rows, { width, wide, rows: wanted });
    },
  };
}

async function readHeader(of: 'picture' | 'baseline', source: ImageSource): Promise<ImageHeader> {
  try {
    return await readImageHeader(source);
  } catch (cause) {
    const isLarge = cause instanceof Error && cause.message.includes('exceeds pixel limit');
    throw new UnreadablePicture(of, isLarge ? 'it has too many pixels' : 'it is not png, jpg, webp, avif, tiff or gif', cause);
  }
}

function widen(
  data: Uint8Array,
  { width, wide, rows }: { readonly width: number; readonly wide: number; readonly rows: number },
): Uint8Array {
  const widened = new Uint8Array(wide * rows * 4);
  const stride = width * 4;
  for (let y = 0; y * stride < data.length; y += 1) widened.set(data.subarray(y * stride, (y + 1) * stride), y * wide * 4);
  return widened;
}
