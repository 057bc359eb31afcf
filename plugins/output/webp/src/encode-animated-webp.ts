import type { EncodeContext } from '@platen/kernel';
import { encodeVideo } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { ANIMATED_WEBP } from './animated-webp.js';

export async function encodeAnimatedWebp(film: FramesCapture, context: EncodeContext): Promise<Buffer> {
  await using file = await encodeVideo({ film, format: ANIMATED_WEBP, context });
  return await file.readAll();
}
