import { H264, type VideoFormat } from '@platen/lib-ffmpeg';

export const MP4: VideoFormat = {
  type: 'mp4',
  muxer: 'mp4',
  // The index before the pictures: a player starts, and jumps, before all of the file is there.
  muxerOptions: () => ['-movflags', '+faststart'],
  codecs: [H264],
};
