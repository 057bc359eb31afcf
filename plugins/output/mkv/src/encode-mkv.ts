import type { EncodeContext, Output } from '@platen/kernel';
import { encodeVideo } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { MKV } from './mkv.js';

export async function encodeMkv(film: FramesCapture, context: EncodeContext): Promise<Output> {
  const file = await encodeVideo({ film, format: MKV, context });
  return { contentType: 'video/matroska', extension: 'mkv', body: await file.read() };
}
