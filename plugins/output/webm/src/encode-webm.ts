import type { EncodeContext, Output } from '@platen/kernel';
import { encodeVideo } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { WEBM } from './webm.js';

export async function encodeWebm(film: FramesCapture, context: EncodeContext): Promise<Output> {
  const file = await encodeVideo({ film, format: WEBM, context });
  return { contentType: 'video/webm', extension: 'webm', body: await file.read() };
}
