import { definePlugin, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { encodeVideo, frameFilters, requireFormat, type VideoFormat } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';

export default definePlugin({
  name: 'apng',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'apng',
      from: 'frames',
      contentType: 'image/apng',
      extension: 'apng',
      captureOptions: { recording: 'image', frameFormat: 'png', adjusts: ['image_transparent'] },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'apng', for: { output: 'apng' } }, (context) => requireFormat(APNG, context));
    hooks.encode.for('apng').tapPromise('apng', encodeApng);
  },
});

/** Loops forever; a delay is a fraction of a second, and therefore exact. */
export const APNG: VideoFormat = {
  type: 'apng',
  muxer: 'apng',
  muxerOptions: ({ framerate }) => ['-plays', '0', '-final_delay', `1/${String(framerate)}`],
  // PNG line filters (`-pred`) make pages of flat colors a third larger, and photographs a tenth smaller.
  codecs: [{ encoder: 'apng', filters: (video) => frameFilters(video, 'rgb24'), options: () => [] }],
};

export async function encodeApng(video: FramesCapture, context: EncodeContext): Promise<EncodedOutput> {
  await using file = await encodeVideo({ video, format: APNG, context });
  return { body: tagSrgb(await file.readAll()) };
}

/** The chunk `sRGB`, perceptual (PNG, 11.3.2.5), with its length and checksum. */
const SRGB = Buffer.from('000000017352474200aece1ce9', 'hex');

/** Signature and IHDR, which comes first. */
const HEAD_BYTES = 33;

function tagSrgb(png: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, HEAD_BYTES), SRGB, png.subarray(HEAD_BYTES)]);
}
