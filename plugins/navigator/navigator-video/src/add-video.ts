import { type AssetCollector, PlatenError, type RenderContext } from '@platen/kernel';
import { readCaptionsArea } from './captions-area.js';
import { type ComposedVideo, composeVideo } from './compose-video.js';
import { encodeSession } from './encode-session.js';
import { sizeOf, type VideoParams } from './params.js';
import { MAX_MINUTES } from './record-screen.js';
import type { SessionRecorder } from './record-session.js';

/** Encoding has these limits after a failed navigation, whose error the client is waiting for: together with them it ends in time. */
const AFTER_FAILURE = { maxFrames: 200, timeoutMs: 4_000 } as const;

/** Ends the recording. The video is encoded when the page is closed. */
export async function addVideo(context: RenderContext<VideoParams>, recorder: SessionRecorder, assets: AssetCollector): Promise<void> {
  recorder.stop();
  const { params, plan, log } = context;
  const { maxFrames, timeoutMs } = assets.isAfterFailure() ? AFTER_FAILURE : { maxFrames: Infinity, timeoutMs: undefined };
  const size = sizeOf(params, plan.profile);
  const showsCaptions = params.navigator_video_shows_captions === true;
  const showsPointer = params.navigator_video_shows_pointer === true;
  const video = composeVideo(recorder, { size, showsCaptions, showsPointer, maxFrames });
  if (video === undefined) throw new PlatenError('encode_failed', 'no frame of the navigation was recorded');
  const incomplete = describeIncomplete(recorder, video);
  await assets.add({
    name: 'navigator-video',
    contentType: 'video/webm',
    extension: 'webm',
    ...(incomplete === '' ? {} : { incomplete }),
    body() {
      const area = readCaptionsArea(params.navigator_video_captions_position ?? 'bottom') ?? 'bottom';
      // The render's own time may be up after a failure.
      const signal = timeoutMs === undefined ? context.signal : AbortSignal.timeout(timeoutMs);
      const isTouch = plan.profile.touchPoints > 0;
      return encodeSession(video, { size, area, isTouch }, { get: (key) => context.get(key), log, signal });
    },
  });
}

function describeIncomplete({ isTruncated }: SessionRecorder, { isCut }: ComposedVideo): string {
  const end = isTruncated ? [`its end: a recording has at most ${String(MAX_MINUTES)} minutes and 512 MiB`] : [];
  const beginning = isCut ? ['its beginning: the navigation has failed, and the client waits for the error'] : [];
  return [...beginning, ...end].map((part) => `the video lacks ${part}`).join('; ');
}
