import { PlatenError, type EncodeContext } from '@platen/kernel';
import { colorFilter, encodeVideo, frameFilters, type FrameSequence, type VideoCodec, type VideoFormat } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';

/** sRGB in full range, as in images. */
const COLORS: readonly string[] = [
  ...['-color_range', 'pc', '-colorspace', 'bt709'],
  ...['-color_primaries', 'bt709', '-color_trc', 'iec61966-2-1'],
];

function avifFilters(video: FrameSequence, chroma: 'yuv444p' | 'yuv420p'): readonly string[] {
  return [...frameFilters(video, 'gbrp'), colorFilter('pc'), `format=${chroma}`];
}

/** Any size, and chroma at full resolution: subsampling blurs thin colored text first. */
const AOM: VideoCodec = {
  encoder: 'libaom-av1',
  filters: (video) => avifFilters(video, 'yuv444p'),
  options: () => ['-usage', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-crf', '24', '-b:v', '0', ...COLORS],
};

/** Subsamples chroma and rejects images under 64 pixels: for an ffmpeg that was built without libaom. */
const SVT: VideoCodec = {
  encoder: 'libsvtav1',
  filters: (video) => avifFilters(video, 'yuv420p'),
  options: () => ['-preset', '10', '-crf', '28', ...COLORS],
};

export const ANIMATED_AVIF: VideoFormat = { type: 'avif', muxer: 'avif', codecs: [AOM, SVT] };

/** @throws PlatenError `encode_failed` also if ffmpeg writes a file that is not laid out as expected */
export async function encodeAnimatedAvif(video: FramesCapture, context: EncodeContext): Promise<Buffer> {
  await using file = await encodeVideo({ video, format: ANIMATED_AVIF, context });
  const avif = await file.readAll();
  // A single frame is not a sequence: it is written as a still image, which cannot repeat.
  return video.frameCount === 1 ? avif : loop(avif);
}

/** Output that is not an AVIF, or has another layout, is an error. */
function loop(avif: Buffer): Buffer {
  try {
    return loopForever(avif);
  } catch (cause) {
    throw new PlatenError('encode_failed', 'the avif could not be encoded: ffmpeg wrote a file that is not laid out as expected', {
      cause,
    });
  }
}

/** A box of ISO base media (ISO/IEC 14496-12, 4.2): its content and its position in the file. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/**
 * Marks an image sequence as endless: a repeating edit list in a track of unlimited duration (ISO/IEC 23008-12, 9.6.1). ffmpeg does this
 * itself from version 6 on: a file with an edit list stays unchanged. Throws if the file's layout differs from that of ffmpeg 5.
 */
function loopForever(avif: Buffer): Buffer {
  const locate = (path: readonly string[]) => locateBox(avif, path);
  if (locate(['moov', 'trak', 'edts']) !== undefined) return avif;
  const need = (...path: readonly string[]) => {
    const box = locate(path);
    if (box === undefined) throw new Error(`the avif has no box ${path.join('/')}`);
    return box;
  };
  const moov = need('moov');
  const movie = need('moov', 'mvhd');
  const trak = need('moov', 'trak');
  const track = need('moov', 'trak', 'tkhd');
  const media = need('moov', 'trak', 'mdia', 'mdhd');
  const chunks = need('moov', 'trak', 'mdia', 'minf', 'stbl', 'stco');
  const items = need('meta', 'iloc');

  const movieTicks = readTicks(avif, movie);
  const mediaTicks = readTicks(avif, media);
  const duration = Math.round((mediaTicks.duration * movieTicks.timescale) / mediaTicks.timescale);
  const inserted = Buffer.concat([unlimitedTrack(avif.subarray(track.start, track.end)), editList(duration)]);
  const growth = inserted.length - (track.end - track.start);
  const changed = Buffer.from(avif);
  for (const { start } of [moov, trak]) addTo(changed, start, growth);
  for (const offset of [...chunkOffsets(avif, chunks), ...itemOffsets(avif, items)]) addTo(changed, offset, growth);
  changed.writeUInt32BE(duration, movie.content + 16);
  return Buffer.concat([changed.subarray(0, track.start), inserted, changed.subarray(track.end)]);
}

function locateBox(bytes: Buffer, path: readonly string[]): Box | undefined {
  let box: Box | undefined = { type: '', start: 0, content: 0, end: bytes.length };
  for (const type of path) box = box === undefined ? undefined : childrenOf(bytes, box).find((child) => child.type === type);
  return box;
}

function childrenOf(bytes: Buffer, { type, content, end }: Box): readonly Box[] {
  const children: Box[] = [];
  // `meta` is a full box: it starts with version and flags.
  for (let start = type === 'meta' ? content + 4 : content; start + 8 <= end;) {
    const size = bytes.readUInt32BE(start);
    if (size < 8 || start + size > end) throw new Error(`the avif has a box of ${String(size)} bytes where it cannot be`);
    children.push({ type: bytes.toString('latin1', start + 4, start + 8), start, content: start + 8, end: start + size });
    start += size;
  }
  return children;
}

/** Of `mvhd` and `mdhd`, in version 0 (8.2.2, 8.4.2). */
function readTicks(bytes: Buffer, { type, content }: Box): { readonly timescale: number; readonly duration: number } {
  if (bytes.readUInt8(content) !== 0) throw new Error(`the avif has a box ${type} of a version that is not expected`);
  return { timescale: bytes.readUInt32BE(content + 12), duration: bytes.readUInt32BE(content + 16) };
}

/**
 * Converts a `tkhd` (8.3.2) of version 0 to version 1, in which a duration of 64 one bits means unknown: readers take the 32 one bits of
 * version 0 for a number.
 */
function unlimitedTrack(header: Buffer): Buffer {
  if (header.readUInt8(8) !== 0) throw new Error('the avif has a box tkhd of a version that is not expected');
  const unlimited = Buffer.alloc(header.length + 12);
  unlimited.writeUInt32BE(unlimited.length, 0);
  header.copy(unlimited, 4, 4, 12); // Type and flags. Both times stay zero: unspecified.
  unlimited.writeUInt8(1, 8);
  header.copy(unlimited, 28, 20, 28); // The track's number, and reserved bytes.
  unlimited.fill(0xff, 36, 44);
  header.copy(unlimited, 44, 32);
  return unlimited;
}

/** `edts` with an `elst` of one edit, which repeats the whole media (8.6.6). */
function editList(duration: number): Buffer {
  const edits = Buffer.alloc(36);
  edits.writeUInt32BE(36, 0);
  edits.write('edts', 4, 'latin1');
  edits.writeUInt32BE(28, 8);
  edits.write('elst', 12, 'latin1');
  edits.writeUInt32BE(1, 16); // Version 0, flag "repeat".
  edits.writeUInt32BE(1, 20);
  edits.writeUInt32BE(duration, 24);
  edits.writeUInt32BE(0x0001_0000, 32); // From the start (bytes 28 to 31), at normal rate.
  return edits;
}

/** Boxes with chunk offsets (8.7.5). */
function chunkOffsets(bytes: Buffer, { content }: Box): readonly number[] {
  return Array.from({ length: bytes.readUInt32BE(content + 4) }, (_, index) => content + 8 + 4 * index);
}

/** The offset of the single still image, in the form that ffmpeg uses: version 0, 4 bytes per number (8.11.3). */
function itemOffsets(bytes: Buffer, { content }: Box): readonly number[] {
  const layout = bytes.readUInt32BE(content) === 0 && bytes.readUInt16BE(content + 4) === 0x4400;
  const [items, extents] = [bytes.readUInt16BE(content + 6), bytes.readUInt16BE(content + 12)];
  if (!layout || items !== 1 || extents !== 1) throw new Error('the avif has a box iloc that is not expected');
  return [content + 14];
}

function addTo(bytes: Buffer, place: number, amount: number): void {
  bytes.writeUInt32BE(bytes.readUInt32BE(place) + amount, place);
}
