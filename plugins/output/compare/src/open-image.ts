import { decodeRows, type ImageHeader, type ImageSource, MOST_PIXELS, readImageHeader, type RowRange } from '@platen/lib-raster/rows';
import type { Size } from './comparison.js';

/** A still image whose rows are decoded on demand. */
export interface OpenImage extends Size {
  /** Red, green, blue and alpha of these rows, widened to that width. What the image does not have is transparent. */
  read(rows: RowRange, width: number): Promise<Uint8Array>;
}

/** One of the files is not an image that can be compared; the message is a clause for the client. */
export class UnreadableImage extends Error {
  readonly of: 'image' | 'baseline';

  constructor(of: 'image' | 'baseline', message: string, cause?: unknown) {
    super(message, { cause });
    this.of = of;
  }
}

/** libvips's names. Others, such as SVG and PDF, are drawn, not decoded. */
const FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'heif', 'avif', 'tiff', 'gif']);

/** @throws UnreadableImage if it is none of the formats, or not still */
export async function openImage(of: 'image' | 'baseline', source: ImageSource): Promise<OpenImage> {
  const { width, height, format, pages } = await readHeader(of, source);
  if (!FORMATS.has(format)) throw new UnreadableImage(of, `it is ${format}: use png, jpg, webp, avif, tiff or gif`);
  if (pages > 1) throw new UnreadableImage(of, `it has ${String(pages)} frames or pages: use a still image`);
  const decode = async ({ top, height: rows }: RowRange): Promise<Uint8Array> => {
    try {
      return await decodeRows(source, { top, height: rows });
    } catch (cause) {
      throw new UnreadableImage(of, 'it is damaged', cause);
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

async function readHeader(of: 'image' | 'baseline', source: ImageSource): Promise<ImageHeader> {
  try {
    return await readImageHeader(source);
  } catch (cause) {
    const isLarge = cause instanceof Error && cause.message.includes('exceeds pixel limit');
    throw new UnreadableImage(
      of,
      isLarge ? `it has more than ${String(MOST_PIXELS)} pixels` : 'it is not png, jpg, webp, avif, tiff or gif',
      cause,
    );
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
