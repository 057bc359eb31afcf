import { Readable } from 'node:stream';
import type { EncodeContext } from '@platen/kernel';
import { colorFilter, encodeVideo, type FrameSequence, type VideoCodec, type VideoFormat, VP8, VP9 } from '@platen/lib-ffmpeg';
import { openScratchFile } from '@platen/lib-spool';
import type { VideoSize } from './captions-area.js';
import type { ComposedVideo } from './compose-video.js';
import type { ScreenFrame } from './record-screen.js';
import { type OverlayOptions, writeOverlay } from './write-overlay.js';

/** Encodes a video as WebM. Rejects with `encode_failed` or `feature_unavailable`, or the signal's reason. */
export async function encodeSession(
  video: ComposedVideo,
  options: OverlayOptions,
  context: Pick<EncodeContext, 'get' | 'log' | 'signal'>,
): Promise<Readable> {
  const { captions, pointer } = video;
  const { size } = options;
  await using overlay = captions.length + pointer.length > 0 ? await openScratchFile() : undefined;
  await overlay?.append(Buffer.from(writeOverlay(video, options)));
  const frames: FrameSequence = {
    ...size,
    sourceWidth: size.width,
    sourceHeight: size.height,
    format: 'jpeg',
    container: 'ivf',
    framerate: 25,
    frameCount: video.frames.length,
    frames: Readable.from(writeIvf(video)),
  };
  // The page is closed already.
  const file = await encodeVideo({ video: frames, format: formatWith(size, overlay?.path), context: { ...context, release() {} } });
  return await file.read();
}

/** WebM; `overlay`: path of a subtitle file. */
export function formatWith(size: VideoSize, overlay?: string): VideoFormat {
  const filters = () => filtersFor(size, overlay);
  const codecs: readonly [VideoCodec, VideoCodec] = [
    { ...VP9, filters },
    { ...VP8, filters },
  ];
  return { type: 'webm', muxer: 'webm', codecs };
}

/** Whole pages in the middle, on black. */
function filtersFor({ width, height }: VideoSize, overlay: string | undefined): readonly string[] {
  const size = `${String(width)}:${String(height)}`;
  return [
    'format=gbrp',
    `scale=${size}:force_original_aspect_ratio=decrease:flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp`,
    `pad=${size}:(ow-iw)/2:(oh-ih)/2`,
    'setsar=1',
    ...(overlay === undefined ? [] : [`ass=filename=${escapePath(overlay)}`]),
    colorFilter('tv'),
    'format=yuv420p',
  ];
}

/** Of an option, and of the list of filters that contains it (ffmpeg-utils, "Quoting and escaping"). */
function escapePath(path: string): string {
  const option = path.replaceAll('\\', '/').replace(/[':]/g, '\\$&');
  return option.replace(/[\\'[\],;]/g, '\\$&');
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 12;

/** IVF (libvpx, ivfenc.c), in milliseconds. One Buffer a frame. */
async function* writeIvf({ frames }: ComposedVideo): AsyncGenerator<Buffer, void> {
  let shown: ScreenFrame | undefined;
  let jpeg: Buffer = Buffer.alloc(0);
  for (const [index, { at, frame }] of frames.entries()) {
    if (frame !== shown) jpeg = await frame.read();
    shown = frame;
    const head = Buffer.alloc(FRAME_HEADER_BYTES);
    head.writeUInt32LE(jpeg.length, 0);
    head.writeBigUInt64LE(BigInt(at), 4);
    yield Buffer.concat(index === 0 ? [ivfHeader(), head, jpeg] : [head, jpeg]);
  }
}

/** Without a size: ffmpeg would take a frame that is much lower for a half of an interlaced one. */
function ivfHeader(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('DKIF', 0);
  header.writeUInt16LE(HEADER_BYTES, 6);
  header.write('MJPG', 8);
  header.writeUInt32LE(1_000, 16);
  header.writeUInt32LE(1, 20);
  return header;
}
