import { setTimeout as delay } from 'node:timers/promises';
import { type Page, PlatenError } from '@platen/kernel';
import { type FrameFormat, screenshotOptions } from './begin-frame.js';

/** Tolerance for rounded timestamps: a screenshot that is late by no more than this still belongs to the frame. */
const TOLERANCE_MS = 1;

/** The page as drawn in real time. */
export interface Screencast {
  readonly first: Buffer;
  readonly timeline: Timeline;
  /** performance.now() when the first screenshot came. */
  readonly started: number;
  /** Rejects when the page ends. */
  readonly failed: Promise<never>;
  stop(): void;
}

export interface ScreencastOptions {
  readonly format: FrameFormat;
  readonly framerate: number;
}

/** Even a page that has not changed is drawn for the screencast. */
const FIRST_MS = 10_000;
/** Maximum number of screenshots buffered for their frames: two seconds at the highest rate. */
const HELD = 120;
/** Interval of the liveness check of a page that draws nothing. */
const WATCH_MS = 1_000;

/**
 * Starts Page.startScreencast and waits for the first screenshot. Each is acknowledged immediately; its timestamp says when it was drawn.
 */
export async function openScreencast(page: Page, { format, framerate }: ScreencastOptions): Promise<Screencast> {
  const ending = new AbortController();
  let timeline: Timeline | undefined;
  let firstTime = 0;
  const listening: { forget?: () => void } = {};
  const firstScreenshot = new Promise<Buffer>((resolve) => {
    listening.forget = page.on('Page.screencastFrame', ({ data, metadata: { timestamp = 0 }, sessionId }) => {
      page.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      const screenshot = Buffer.from(data, 'base64');
      if (timeline !== undefined) {
        timeline.place((timestamp - firstTime) * 1000, screenshot);
        return;
      }
      firstTime = timestamp;
      timeline = createTimeline({ first: screenshot, framerate, held: HELD });
      resolve(screenshot);
    });
  });
  const { optimizeForSpeed: _speed, ...options } = screenshotOptions(format);
  await page.send('Page.startScreencast', { ...options, everyNthFrame: 1 });
  const failed = watch(page, ending.signal);
  const first = await Promise.race([firstScreenshot, failed, rejectLate(ending.signal)]);
  return {
    first,
    timeline: timeline ?? createTimeline({ first, framerate, held: HELD }),
    started: performance.now(),
    failed,
    stop() {
      ending.abort();
      listening.forget?.();
      page.send('Page.stopScreencast').catch(() => undefined);
    },
  };
}

/** A screencast of a page that has ended sends no event. */
function watch(page: Page, signal: AbortSignal): Promise<never> {
  const run = async (): Promise<never> => {
    while (!signal.aborted) {
      await page.send('Page.getNavigationHistory');
      await delay(WATCH_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
    return new Promise<never>(() => undefined);
  };
  const watching = run();
  watching.catch(() => undefined);
  return watching;
}

async function rejectLate(signal: AbortSignal): Promise<never> {
  await delay(FIRST_MS, undefined, { ref: false, signal }).catch(() => undefined);
  throw new PlatenError('render_timeout', `the browser drew no frame within ${String(FIRST_MS / 1000)} s`, { retryable: true });
}

/** Assigns screenshots to the frames of a video by their timestamps. */
interface Timeline {
  /** Adds a screenshot that was drawn this many milliseconds after the first one. */
  place(elapsedMs: number, screenshot: Buffer): void;
  /** The newest screenshot at the frame's moment. Frames are requested in order. */
  pick(frame: number): Buffer;
}

interface TimelineOptions {
  /** Frame 0. */
  readonly first: Buffer;
  readonly framerate: number;
  /** Maximum number of buffered screenshots. Beyond it, while no frames are read, the next screenshot replaces the newest. */
  readonly held: number;
}

export function createTimeline({ first, framerate, held }: TimelineOptions): Timeline {
  // In order of the frames, at most one screenshot for each.
  const pending: { frame: number; screenshot: Buffer }[] = [];
  let shown = first;
  return {
    place(elapsedMs, screenshot) {
      const frame = Math.max(0, Math.ceil(((elapsedMs - TOLERANCE_MS) * framerate) / 1000));
      const newest = pending.at(-1);
      if (newest !== undefined && frame < newest.frame) return;
      if (newest !== undefined && (frame === newest.frame || pending.length >= held)) pending.pop();
      pending.push({ frame, screenshot });
    },
    pick(frame) {
      for (let next = pending[0]; next !== undefined && next.frame <= frame; next = pending[0]) {
        shown = next.screenshot;
        pending.shift();
      }
      return shown;
    },
  };
}
