import type { EncodeContext, Output } from '@platen/kernel';
import { encodeVideo } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { MP4 } from './mp4.js';

export async function encodeMp4(film: FramesCapture, context: EncodeContext): Promise<Output> {
  const file = await encodeVideo({ film, format: MP4, context });
  return { contentType: 'video/mp4', extension: 'mp4', body: await file.read() };
}
