import { H264 } from '@platen/lib-ffmpeg';
import { createEncoder, defineVideo, type Video } from './define-video.js';

export const MP4: Video = {
  type: 'mp4',
  contentType: 'video/mp4',
  muxer: 'mp4',
  // The index comes before the frames, so that a player can start and seek before the download is complete.
  muxerOptions: () => ['-movflags', '+faststart'],
  codecs: [H264],
};

export default defineVideo(MP4);

export const encodeMp4 = createEncoder(MP4);
