import type { VideoCodec } from './video-format.js';
import { videoFilters, VIDEO_COLOURS } from './video.js';

/** H.264, High profile, 4:2:0: supported by every player. */
export const H264: VideoCodec = {
  encoder: 'libx264',
  filters: videoFilters,
  options: () => [
    // Faster than x264's default preset with files of about the same size; text stays legible at this quality.
    ...['-preset', 'veryfast', '-crf', '20'],
    // Tuned as for still images: the fast preset alone keeps refining a static page and doubles the size.
    ...['-aq-strength', '1.2'],
    ...VIDEO_COLOURS,
  ],
};
