import { Readable } from 'node:stream';
import { contextKey, PlatenError, type RenderContext } from '@platen/kernel';
import { videoPlanOf, type VideoPlan } from './video-plan.js';
import { openArea, type VideoArea, type OpenArea } from './video-area.js';
import { planVideoFrame } from './video-frame.js';
import { recordLive, recordVirtualTime } from './record-frames.js';
import { startFrameClock, type FrameClock } from './frame-clock.js';
import { readFrameSize } from './frame-size.js';
import { readVideoOptions, type FramesCapture, type FramesCaptureOptions } from './frames-capture.js';
import type { VideoParams } from './params.js';
import { createFrameDropPolicy } from './frame-drop-policy.js';
import { isImage, playsMedia } from './plays-media.js';
import { openScreencast } from './screencast.js';
import { retryLive, isLiveRetry, planHangTimeout } from './live-fallback.js';
import { withHangTimeout } from './hang-timeout.js';
import { openVirtualTimeRecorder } from './virtual-time-recorder.js';
import { watchActivity, type Activity } from './watch-activity.js';

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
  const film = options && videoPlanOf(params, options);
  if (control === undefined || options === undefined || film === undefined) {
    throw new PlatenError('internal', `"${plan.output.type}" is no film, and was to be filmed`);
  }
  context.setWaitReason(film.element === undefined ? 'images and fonts' : 'images, fonts and transitions');
  const { measure } = await openArea(context, film);
  context.setWaitReason('the first frame');
  const take = await startTake(context, control, { film, options, measure });
  const { area } = take;
  const source = readFrameSize(take.first);
  const { width, height, crop } = planVideoFrame({ source, area, profile: context.page.profile, film, options, type: plan.output.type });
  context.setResponseHeader('X-Capture-Method', take.method);
  if (isLiveRetry(plan)) context.setResponseHeader('X-Capture-Fallback', 'page-hung');
  return {
    format: options.frameFormat,
    width,
    height,
    sourceWidth: source.width,
    sourceHeight: source.height,
    ...(crop === undefined ? {} : { crop }),
    framerate: film.framerate,
    frameCount: film.frameCount,
    frames: streamFrames(context, { ...take, frames: tellFrames(context, take.frames, film.frameCount) }),
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
  readonly film: VideoPlan;
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

async function takeDeterministic(
  context: RenderContext<VideoParams>,
  { activity, clock, opened }: FrameControl,
  { film, options, measure }: TakeOptions,
): Promise<Take> {
  const { page, deadlineAt } = context;
  const hangTimeoutMs = planHangTimeout(context, { film, opened });
  await withHangTimeout({ page, hangTimeoutMs }, clock.stop());
  const recorder = await openVirtualTimeRecorder(page, { format: options.frameFormat, framerate: film.framerate, hangTimeoutMs });
  // The page's clock is stopped now, so nothing moves between the frame and its measurement.
  const area = await withHangTimeout({ page, hangTimeoutMs }, measure());
  const onDropped = (frames: number) => {
    reportDropped(context, frames, film);
  };
  const frames = recordVirtualTime({
    recorder,
    activity,
    film,
    dropPolicy: createFrameDropPolicy({ film, endsAt: deadlineAt }),
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
  { film, options, measure }: TakeOptions,
): Promise<Take> {
  const area = await measure();
  const screencast = await openScreencast(page, { format: options.frameFormat, framerate: film.framerate });
  const stop = () => {
    screencast.stop();
    void clock.stop();
  };
  return {
    area,
    method: 'live',
    first: screencast.first,
    frames: recordLive({ screencast, film, failed: Promise.race([screencast.failed, clock.failed]) }),
    stop,
  };
}

/** Updates the wait reason while frames are read, so that a timeout names the frame or the encoder that the render waits for. */
async function* tellFrames(
  context: RenderContext<VideoParams>,
  frames: AsyncGenerator<Buffer, void>,
  count: number,
): AsyncGenerator<Buffer, void> {
  const place = (frame: number) => `frame ${String(frame)} of ${String(count)}`;
  let frame = 1;
  context.setWaitReason(`${place(frame)} of the film`);
  for await (const picture of frames) {
    context.setWaitReason(`the encoder, after ${place(frame)}`);
    yield picture;
    frame += 1;
    context.setWaitReason(frame > count ? 'the encoder, which has all frames' : `${place(frame)} of the film`);
  }
}

/** The response headers can still be set: the response begins when the video is encoded. */
function reportDropped({ setResponseHeader, log }: RenderContext<VideoParams>, frames: number, { frameCount }: VideoPlan): void {
  setResponseHeader('X-Capture-Frames-Dropped', String(frames));
  log.warn({ dropped: frames, frameCount }, 'the time was too short for every frame of the film');
}

/** Ends with the video, the render's signal or the encoder. The page is released in every case. */
function streamFrames({ signal, release }: RenderContext<VideoParams>, { frames, stop }: Take): Readable {
  const stream = Readable.from(frames, { objectMode: true, highWaterMark: AHEAD });
  const abort = () => {
    stream.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  };
  const close = () => {
    signal.removeEventListener('abort', abort);
    stop();
    release();
  };
  signal.addEventListener('abort', abort, { once: true });
  // The encoder receives an error when it reads. An error before that must not end the process.
  stream.on('error', () => undefined);
  return stream.once('end', close).once('close', close);
}
