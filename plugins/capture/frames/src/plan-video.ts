import type { DeviceProfile, PlanDraft, PlanView } from '@platen/kernel';
import type { Size } from '@platen/lib-page-layout';
import { describeExcess, videoPlanOf, type VideoPlan } from './video-plan.js';
import { describeLarge } from './video-area.js';
import { describeTooLarge } from './video-frame.js';
import { readVideoOptions } from './frames-capture.js';
import { drawnScale } from './limits.js';
import type { VideoParams } from './params.js';

/**
 * Frames are drawn on command, so that none is lost and each shows its own moment. The second switch makes the response to such a command
 * wait for everything that belongs to the frame. Both are needed.
 */
const SWITCHES = ['--enable-begin-frame-control', '--run-all-compositor-stages-before-draw'];

/**
 * Paints content beyond the viewport instead of clipping it at the edge. A full-page video shows it where the viewport must keep the
 * height of the browser. A screenshot beyond the viewport sets both for its moment.
 */
const FULL_PAGE_SWITCH = '--blink-settings=recordWholeDocument=true,mainFrameClipsContent=false';

/** Decides whether the output is a video, refuses invalid combinations, and requests a dedicated browser. */
export function planVideo(draft: PlanDraft<VideoParams>): void {
  const options = readVideoOptions(draft.output.captureOptions);
  const video = options === undefined ? undefined : videoPlanOf(draft.params, options);
  if (video === undefined) return;
  refuseInvalid(draft, video);
  draft.captureKind = 'frames';
  draft.browser.exclusive = true;
  draft.browser.switches = [...draft.browser.switches, ...SWITCHES, ...(draft.params.full_page === true ? [FULL_PAGE_SWITCH] : [])];
  draft.extendTimeout(video.duration);
}

function refuseInvalid({ params, refuse }: PlanDraft<VideoParams>, video: VideoPlan): void {
  const { kind, duration, framerate, frameCount, limits, asked } = video;
  const key = `${kind}_duration`;
  if (frameCount < 1) {
    refuse(key, `"${key}" must be long enough for one frame: at least ${atLeast(0.5 / framerate)} s at ${rate(framerate)}`);
  }
  if (frameCount > limits.frames) {
    refuse(
      key,
      `"${key}" x "${kind}_framerate" must be at most ${String(limits.frames)} frames: at most ${atMost(limits.frames / framerate)} s at ${rate(framerate)}`,
    );
  }
  const { timeout = 0, no_timeout } = params;
  if (no_timeout !== true && timeout > 0 && duration > timeout) {
    refuse(
      key,
      `"${key}" (${String(duration)} s) must not exceed the "timeout" of ${String(timeout)} s: set a longer one, or "timeout=0" for no limit`,
    );
  }
  const { width, height } = asked;
  const excess = width === undefined || height === undefined ? undefined : describeExcess(video, { width, height });
  if (excess !== undefined) refuse(key, excess);
}

/** Refuses a video that is too large, if its size is known without its page. */
export function checkVideo({ captureKind, output, params, profile, refuse }: PlanView<VideoParams>): void {
  const options = readVideoOptions(output.captureOptions);
  const video = options && captureKind === 'frames' ? videoPlanOf(params, options) : undefined;
  if (options === undefined || video === undefined) return;
  const { deviceScaleFactor: scale } = profile;
  const large = describeLarge(profile, scale, 'a smaller "browser_width" or "browser_height"');
  if (large !== undefined) refuse(scale > 1 ? 'device_scale_factor' : 'browser_width', large);
  if (video.element !== undefined || params.full_page === true) return;
  const excess = describeTooLarge({ source: drawnSize(profile), area: undefined, profile, video, options, type: output.type });
  if (excess !== undefined) refuse(excess.key, excess.detail);
}

/** Rounded down: the browser's own screenshots would refuse every size that this refuses. */
function drawnSize({ width, height, deviceScaleFactor }: DeviceProfile): Size {
  const side = (length: number) => Math.max(1, Math.floor(length * drawnScale(deviceScaleFactor)));
  return { width: side(width), height: side(height) };
}

function rate(framerate: number): string {
  return `${String(framerate)} ${framerate === 1 ? 'frame' : 'frames'} per second`;
}

/** Seconds to the millisecond, rounded so that a client that follows the advice is not refused. */
function atLeast(seconds: number): string {
  return String(Math.ceil(seconds * 1000) / 1000);
}

function atMost(seconds: number): string {
  return String(Math.floor(seconds * 1000) / 1000);
}
