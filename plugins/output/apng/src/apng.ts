import { frameFilters, type VideoFormat } from '@platen/lib-ffmpeg';

/** Loops forever; a delay is a fraction of a second, and therefore exact. */
export const APNG: VideoFormat = {
  type: 'apng',
  muxer: 'apng',
  muxerOptions: ({ framerate }) => ['-plays', '0', '-final_delay', `1/${String(framerate)}`],
  // PNG line filters (`-pred`) make pages of flat colors a third larger, and photographs a tenth smaller.
  codecs: [{ encoder: 'apng', filters: (video) => frameFilters(video, 'rgb24'), options: () => [] }],
};
