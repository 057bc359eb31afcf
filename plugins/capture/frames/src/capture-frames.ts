import { Readable } from 'node:stream';
import { callOnAbort, contextKey, type Page, PlatenError, type RenderContext } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import type { Size } from '@platen/lib-page-layout';
import { type VideoPlan, videoPlanOf } from './video-plan.js';
import { openArea, type OpenArea, type VideoArea } from './video-area.js';
import { planVideoFrame } from './video-frame.js';
import { recordLive, recordVirtualTime } from './record-frames.js';
import { type FrameClock, startFrameClock } from './begin-frame.js';
import { type FramesCapture, type FramesCaptureOptions, readVideoOptions } from './frames-capture.js';
import type { VideoParams } from './params.js';
import { createFrameDropPolicy } from './frame-drop-policy.js';
import { openScreencast } from './screencast.js';
import { isLiveRetry, planHangTimeout, retryLive } from './live-fallback.js';
import { withHangTimeout } from './hang-timeout.js';
import { openVirtualTimeRecorder } from './virtual-time-recorder.js';
import { type Activity, watchActivity } from './watch-activity.js';

interface FrameControl {
  /** When, by performance.now(). */
  readonly opened: number;
  readonly clock: FrameClock;
  readonly activity: Activity;
}

const FRAME_CONTROL = contextKey<FrameControl>('frames');

/** Takes control of the frames: a page that is to be recorded draws none by itself. */
export function startFrameControl(context: RenderContext<VideoParams>): void {
  const { page } = context;
  context.set(FRAME_CONTROL, { opened: performance.now(), clock: startFrameClock(page), activity: watchActivity(page) });
}

/** Frames held ready for the encoder. */
const AHEAD = 8;

/** Freezes the rectangle, chooses the method and starts recording. */
export async function captureFrames(context: RenderContext<VideoParams>): Promise<FramesCapture> {
  const { plan, params } = context;
  const control = context.get(FRAME_CONTROL);
  const options = readVideoOptions(plan.output.captureOptions);
  const video = options && videoPlanOf(params, options);
  if (control === undefined || options === undefined || video === undefined) {
    throw new PlatenError('internal', `the output type "${plan.output.type}" records no frames`);
  }
  context.setWaitReason(video.element === undefined ? 'images and fonts' : 'images, fonts and transitions');
  const { measure } = await openArea(context, video);
  context.setWaitReason('the first frame');
  const take = await startTake(context, control, { video, options, measure });
  const { area } = take;
  const source = readFrameSize(take.first);
  const { width, height, crop } = planVideoFrame({ source, area, profile: context.page.profile, video, options, type: plan.output.type });
  context.setResponseHeader('X-Capture-Method', take.method);
  if (isLiveRetry(plan)) context.setResponseHeader('X-Capture-Fallback', 'page-hung');
  return {
    format: options.frameFormat,
    width,
    height,
    sourceWidth: source.width,
    sourceHeight: source.height,
    ...(crop === undefined ? {} : { crop }),
    ...(params.image_transparent === true ? { transparent: true } : {}),
    framerate: video.framerate,
    frameCount: video.frameCount,
    frames: streamFrames(context, { ...take, frames: reportFrames(context, take.frames, video.frameCount) }),
    method: take.method,
  };
}

/** A recording in progress: its first frame has been captured. */
interface Take {
  /** Position of the recorded area when the first frame was drawn. */
  readonly area: VideoArea | undefined;
  readonly method: FramesCapture['method'];
  readonly first: Buffer;
  readonly frames: AsyncGenerator<Buffer, void>;
  stop(): void;
}

interface TakeOptions {
  readonly video: VideoPlan;
  readonly options: FramesCaptureOptions;
  readonly measure: OpenArea['measure'];
}

/** Deterministic, unless the browser draws by itself, the page hung in that mode before, or media plays: players keep to real time. */
async function startTake(context: RenderContext<VideoParams>, control: FrameControl, options: TakeOptions): Promise<Take> {
  const { clock, activity } = control;
  const atCommand = (await clock.atCommand) && !isLiveRetry(context.plan);
  const live = !atCommand || activity.playing || (await playsMedia(context.page)) || (await isImage(context.page));
  if (live) return takeLive(context, control, options);
  return takeDeterministic(context, control, options).catch((error: unknown) => {
    throw retryLive(context, error);
  });
}

/**
 * Whether video or audio of the page plays now, including shadow trees and same-site frames. Players in other frames report it
 * themselves, later.
 */
function playsMedia(page: Page): Promise<boolean> {
  return page.evaluate(anyPlaying);
}

/**
 * Whether the document is itself an image. The page of such a document never finishes a step of a controlled clock. An SVG document does.
 */
function isImage(page: Page): Promise<boolean> {
  return page.evaluate(isImageDocument);
}

async function takeDeterministic(
  context: RenderContext<VideoParams>,
  { activity, clock, opened }: FrameControl,
  { video, options, measure }: TakeOptions,
): Promise<Take> {
  const { page, deadlineAt } = context;
  const hangTimeoutMs = planHangTimeout(context, { video, opened });
  await withHangTimeout({ page, hangTimeoutMs }, clock.stop());
  const recorder = await openVirtualTimeRecorder(page, { format: options.frameFormat, framerate: video.framerate, hangTimeoutMs });
  // The page's clock is stopped now, so nothing moves between the frame and its measurement.
  const area = await withHangTimeout({ page, hangTimeoutMs }, measure());
  const onDropped = (frames: number) => {
    reportDropped(context, frames, video);
  };
  const frames = recordVirtualTime({
    recorder,
    activity,
    video,
    dropPolicy: createFrameDropPolicy({ video, endsAt: deadlineAt }),
    onDropped,
  });
  return { area, method: 'deterministic', first: recorder.first, frames: untilHung(context, frames), stop() {} };
}

async function* untilHung(context: RenderContext<VideoParams>, frames: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  try {
    yield* frames;
  } catch (error) {
    throw retryLive(context, error);
  }
}

async function takeLive(
  { page }: RenderContext<VideoParams>,
  { clock }: FrameControl,
  { video, options, measure }: TakeOptions,
): Promise<Take> {
  const area = await measure();
  const screencast = await openScreencast(page, { format: options.frameFormat, framerate: video.framerate });
  const stop = () => {
    screencast.stop();
    void clock.stop();
  };
  return {
    area,
    method: 'live',
    first: screencast.first,
    frames: recordLive({ screencast, video, failed: Promise.race([screencast.failed, clock.failed]) }),
    stop,
  };
}

/** Updates the wait reason while frames are read, so that a timeout names the frame or the encoder that the render waits for. */
async function* reportFrames(
  context: RenderContext<VideoParams>,
  frames: AsyncGenerator<Buffer, void>,
  count: number,
): AsyncGenerator<Buffer, void> {
  const label = (frame: number) => `frame ${String(frame)} of ${String(count)}`;
  let frame = 1;
  context.setWaitReason(label(frame));
  for await (const screenshot of frames) {
    context.setWaitReason(`the encoder, after ${label(frame)}`);
    yield screenshot;
    frame += 1;
    context.setWaitReason(frame > count ? 'the encoder, after the last frame' : label(frame));
  }
}

/** The response headers can still be set: the response begins when the video is encoded. */
function reportDropped({ setResponseHeader, log }: RenderContext<VideoParams>, frames: number, { frameCount }: VideoPlan): void {
  setResponseHeader('X-Capture-Frames-Dropped', String(frames));
  log.warn({ dropped: frames, frameCount }, 'frames were dropped: the render has no time for all of them');
}

/** Ends with the video, the render's signal or the encoder. The page is released in every case. */
function streamFrames({ signal, release }: RenderContext<VideoParams>, { frames, stop }: Take): Readable {
  const stream = Readable.from(frames, { objectMode: true, highWaterMark: AHEAD });
  const abort = () => {
    stream.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  };
  const unfollow = callOnAbort(signal, abort);
  const close = () => {
    unfollow();
    stop();
    release();
  };
  // The encoder receives an error when it reads. An error before that must not end the process.
  stream.on('error', () => undefined);
  return stream.once('end', close).once('close', close);
}

/** Reads width and height from an image's header: PNG (W3C PNG, 11.2.1 IHDR) or JPEG (ITU-T T.81, B.2.2). Throws if there is none. */
export function readFrameSize(data: Buffer): Size {
  const size = data.readUInt16BE(0) === 0xffd8 ? readJpegSize(data) : readPngSize(data);
  if (size === undefined) throw new TypeError('a frame is neither PNG nor JPEG');
  return size;
}

function readPngSize(data: Buffer): Size | undefined {
  if (data.toString('latin1', 1, 4) !== 'PNG') return undefined;
  return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
}

/** Goes through the segments to the first one that starts a frame: C0 to CF, except C4, C8 and CC. */
function readJpegSize(data: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= data.length;) {
    const marker = data.readUInt16BE(at);
    if (marker < 0xff00) return undefined;
    const startsFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (startsFrame) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

function isImageDocument(): boolean {
  return document.contentType.startsWith('image/') && document.contentType !== 'image/svg+xml';
}

/** Runs in the page; must not capture outer variables. */
const anyPlaying = withFlatTree((tree): boolean => {
  const plays = (inner: Document): boolean =>
    tree.trees(inner).some((root) => {
      const media = Array.from(root.querySelectorAll<HTMLMediaElement>('video, audio'));
      if (media.some(({ paused, ended }) => !paused && !ended)) return true;
      return Array.from(root.querySelectorAll('iframe')).some(({ contentDocument }) => contentDocument !== null && plays(contentDocument));
    });
  return plays(document);
});
