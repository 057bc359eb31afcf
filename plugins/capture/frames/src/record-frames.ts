import { setTimeout as delay } from 'node:timers/promises';
import type { VideoPlan } from './video-plan.js';
import type { FrameDropPolicy } from './frame-drop-policy.js';
import type { Screencast } from './screencast.js';
import type { VirtualTimeRecorder } from './virtual-time-recorder.js';
import type { Activity } from './watch-activity.js';

/** How long a screenshot may take to arrive from the browser, in milliseconds. */
const GRACE_MS = 100;

export interface LiveRecording {
  readonly screencast: Screencast;
  readonly video: VideoPlan;
  /** Rejects when no more screenshots will come. */
  readonly failed: Promise<never>;
}

/** All frames of a screencast, each at its time. */
export async function* recordLive({ screencast, video, failed }: LiveRecording): AsyncGenerator<Buffer, void> {
  failed.catch(() => undefined);
  yield screencast.first;
  for (let frame = 1; frame < video.frameCount; frame++) {
    const due = screencast.started + (frame * 1000) / video.framerate + GRACE_MS;
    await Promise.race([pause(due - performance.now()), failed]);
    yield screencast.timeline.pick(frame);
  }
}

export interface VirtualTimeRecording {
  readonly recorder: VirtualTimeRecorder;
  readonly activity: Activity;
  readonly video: VideoPlan;
  readonly dropPolicy: FrameDropPolicy;
  /** Called after the last frame with the number of dropped frames, if there are any. */
  readonly onDropped: (frames: number) => void;
}

/**
 * All frames of a page with a controlled clock, as fast as they can be drawn. While an activity with its own clock runs, recording is not
 * faster than real time. Frames are dropped, and the previous frame is repeated, only if the render's time is not enough for all of them.
 */
export async function* recordVirtualTime({
  recorder,
  activity,
  video,
  dropPolicy,
  onDropped,
}: VirtualTimeRecording): AsyncGenerator<Buffer, void> {
  const stepMs = 1000 / video.framerate;
  let shown = recorder.first;
  yield shown;
  for (let frame = 1; frame < video.frameCount; frame++) {
    const started = performance.now();
    const screenshot = await recorder.next({ draw: dropPolicy.draws(frame) });
    if (screenshot?.equals(shown) === false) shown = screenshot;
    if (activity.realTime) await pause(stepMs - (performance.now() - started));
    yield shown;
    // Includes the encoder's share, because its time is spent too.
    dropPolicy.took(performance.now() - started);
  }
  if (dropPolicy.dropped > 0) onDropped(dropPolicy.dropped);
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { ref: false });
}
