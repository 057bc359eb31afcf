import type { PlanDraft } from '@platen/kernel';
import { frameFilters, type FrameSequence, type VideoFormat } from '@platen/lib-ffmpeg';

/** Browsers show a frame of one hundredth, the shortest possible, for ten: two is the shortest delay that they respect. */
const MAX_FRAMERATE = 50;

export function refuseTooFast({ params, refuse }: PlanDraft): void {
  const { image_framerate: framerate } = params;
  if (typeof framerate !== 'number' || framerate <= MAX_FRAMERATE) return;
  refuse(
    'image_framerate',
    `"image_framerate" must be at most ${String(MAX_FRAMERATE)} for a gif: players do not support delays below two hundredths of a second`,
  );
}

/** Delays are whole hundredths, each rounded so that the next frame starts on time; loops forever. */
export const GIF: VideoFormat = {
  type: 'gif',
  muxer: 'gif',
  muxerOptions: (video) => ['-loop', '0', '-final_delay', String(lastDelay(video))],
  codecs: [{ encoder: 'gif', filters: (video) => frameFilters(video, 'rgb24'), options: () => [] }],
};

/** Hundredths of a second. ffmpeg would repeat the previous delay. */
function lastDelay({ frameCount, framerate }: FrameSequence): number {
  return Math.round((100 * frameCount) / framerate) - Math.round((100 * (frameCount - 1)) / framerate);
}
