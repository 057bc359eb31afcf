import { VIDEO_COLORS, videoFilters, type VideoCodec } from '@platen/lib-ffmpeg';
import { createEncoder, defineVideo, type Video } from './define-video.js';

/** Fast enough to keep up with the page: VP9's default mode takes ten times as long. */
const REALTIME: readonly string[] = ['-deadline', 'realtime', ...VIDEO_COLORS];

const VP9: VideoCodec = {
  encoder: 'libvpx-vp9',
  filters: videoFilters,
  options: () => [...REALTIME, '-cpu-used', '8', '-row-mt', '1', '-b:v', '0', '-crf', '30'],
};

/** For an ffmpeg that was built without VP9. Its quality setting needs a maximum bitrate. */
const VP8: VideoCodec = {
  encoder: 'libvpx',
  filters: videoFilters,
  options: () => [...REALTIME, '-cpu-used', '12', '-b:v', '4M', '-crf', '10'],
};

/** WebM with Duration and Cues. */
const WEBM: Video = { type: 'webm', contentType: 'video/webm', muxer: 'webm', codecs: [VP9, VP8] };

export default defineVideo(WEBM);

export const encodeWebm = createEncoder(WEBM);
