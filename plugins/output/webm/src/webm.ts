import { VIDEO_COLOURS, videoFilters, type VideoCodec, type VideoFormat } from '@platen/lib-ffmpeg';

/** Fast enough to keep up with the page: VP9's default mode takes ten times as long. */
const REALTIME: readonly string[] = ['-deadline', 'realtime', ...VIDEO_COLOURS];

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
export const WEBM: VideoFormat = { type: 'webm', muxer: 'webm', codecs: [VP9, VP8] };
