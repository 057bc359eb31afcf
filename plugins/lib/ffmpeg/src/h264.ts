import type { VideoCodec } from './video-format.js';
import { videoFilters, VIDEO_COLOURS } from './video.js';

/** H.264, High profile, 4:2:0: what every player plays. */
export const H264: VideoCodec = {
  encoder: 'libx264',
  filters: videoFilters,
  options: () => [
    // Faster than x264's default preset, for files of about its size; text stays legible at this quality.
    ...['-preset', 'veryfast', '-crf', '20'],
    // As for still images: the fast preset alone goes on refining a page that stands still, in twice the bytes.
    ...['-aq-strength', '1.2'],
    ...VIDEO_COLOURS,
  ],
};
