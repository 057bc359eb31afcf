import sharp from 'sharp';
import { openCheckedFile, runChecker } from '../../helpers/checkers.js';

/** Frames as rows of red, green, blue from the top, without padding. */
export interface DecodedVideo {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly Buffer[];
}

export interface Probe {
  readonly codec_name: string;
  readonly pix_fmt: string;
  readonly width: number;
  readonly height: number;
  readonly r_frame_rate: string;
  readonly color_range?: string;
  readonly color_space?: string;
  readonly color_transfer?: string;
  readonly color_primaries?: string;
  readonly nb_read_frames: string;
  /** Seconds, of the file. */
  readonly duration: number;
}

export async function probeVideo(bytes: Buffer, extension: string): Promise<Probe> {
  await using file = await openCheckedFile(bytes, extension);
  const args = ['-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', file.path];
  const { streams, format } = JSON.parse(String(await runChecker('ffprobe', args)));
  return { ...streams[0], duration: Number(format.duration) };
}

export async function decodeVideo(bytes: Buffer, extension: string): Promise<DecodedVideo> {
  // ffmpeg 5 reads no animated webp.
  if (extension === 'webp') return decodeByVips(bytes);
  const { width, height } = await probeVideo(bytes, extension);
  await using file = await openCheckedFile(bytes, extension);
  const filter = 'scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24';
  // The frames of the file, however far apart they are.
  const raw = await runChecker('ffmpeg', ['-v', 'error', '-i', file.path, '-vsync', 'passthrough', '-vf', filter, '-f', 'rawvideo', '-']);
  return { width, height, frames: split(raw, width * height * 3) };
}

async function decodeByVips(bytes: Buffer): Promise<DecodedVideo> {
  const image = sharp(bytes, { animated: true });
  const { width, height, pageHeight = height } = await image.metadata();
  const raw = await image.removeAlpha().raw().toBuffer();
  return { width, height: pageHeight, frames: split(raw, width * pageHeight * 3) };
}

function split(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: bytes.length / size }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

export function pixelAt({ width }: DecodedVideo, frame: Buffer | undefined, [x, y]: readonly [number, number]): readonly number[] {
  return [...(frame ?? Buffer.alloc(0)).subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
}
