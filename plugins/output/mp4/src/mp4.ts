import { H264, type VideoFormat } from '@platen/lib-ffmpeg';

export const MP4: VideoFormat = {
  type: 'mp4',
  muxer: 'mp4',
  // The index comes before the frames, so that a player can start and seek before the download is complete.
  muxerOptions: () => ['-movflags', '+faststart'],
  codecs: [H264],
};
