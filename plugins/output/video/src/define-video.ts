import { definePlugin, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { encodeVideo, requireFormat, type VideoFormat } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';

/** A video type. Its name is also the name of its plugin and its file extension. */
export interface Video extends VideoFormat {
  readonly contentType: string;
}

/** The largest side that the encoders accept, in pixels. */
const MAX_SIDE = 16_384;

/** The plugin of a video type, which is recorded as frames and encoded by ffmpeg. */
export function defineVideo(video: Video) {
  const { type, contentType } = video;
  return definePlugin({
    name: type,
    requires: ['frames', 'ffmpeg'],
    outputs: [
      {
        type,
        from: 'frames',
        contentType,
        extension: type,
        captureOptions: { recording: 'video', frameFormat: 'jpeg', maxWidth: MAX_SIDE, maxHeight: MAX_SIDE },
      },
    ],
    apply({ hooks }) {
      hooks.beforeOpen.tapPromise({ name: type, for: { output: type } }, (context) => requireFormat(video, context));
      hooks.encode.for(type).tapPromise(type, createEncoder(video));
    },
  });
}

/**
 * The encoder of a video type: it encodes a recording into a file, which is the body of the response. It rejects with `feature_unavailable`,
 * `encode_failed`, or the error of the frame stream.
 */
export function createEncoder(format: Video): (video: FramesCapture, context: EncodeContext) => Promise<EncodedOutput> {
  return async (video, context) => {
    const file = await encodeVideo({ video, format, context });
    return { body: await file.read() };
  };
}
