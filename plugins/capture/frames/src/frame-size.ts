import type { Size } from '@platen/lib-page-layout';

/** Reads width and height from an image's header: PNG (W3C PNG, 11.2.1 IHDR) or JPEG (ITU-T T.81, B.2.2). Throws if there is none. */
export function readFrameSize(data: Buffer): Size {
  const size = data.readUInt16BE(0) === 0xffd8 ? readJpegSize(data) : readPngSize(data);
  if (size === undefined) throw new TypeError('a frame is neither png nor jpeg');
  return size;
}

function readPngSize(data: Buffer): Size | undefined {
  if (data.toString('latin1', 1, 4) !== 'PNG') return undefined;
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** Goes through the segments to the first one that starts a frame: C0 to CF, except C4, C8 and CC. */
function readJpegSize(data: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= data.length;) {
    const marker = data.readUInt16BE(at);
    if (marker < 0xff00) return undefined;
    const startsFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (startsFrame) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}
