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
export function loopForever(avif: Buffer): Buffer {
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
