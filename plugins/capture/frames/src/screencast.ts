import { setTimeout as delay } from 'node:timers/promises';
import { PlatenError, type Page } from '@platen/kernel';
import { pictureOf, type FrameFormat } from './begin-frame.js';
import { createTimeline, type Timeline } from './timeline.js';

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
  const firstPicture = new Promise<Buffer>((resolve) => {
    listening.forget = page.on('Page.screencastFrame', ({ data, metadata: { timestamp = 0 }, sessionId }) => {
      page.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      const picture = Buffer.from(data, 'base64');
      if (timeline !== undefined) {
        timeline.place((timestamp - firstTime) * 1000, picture);
        return;
      }
      firstTime = timestamp;
      timeline = createTimeline({ first: picture, framerate, held: HELD });
      resolve(picture);
    });
  });
  const { optimizeForSpeed: _speed, ...picture } = pictureOf(format);
  await page.send('Page.startScreencast', { ...picture, everyNthFrame: 1 });
  const failed = watch(page, ending.signal);
  const first = await Promise.race([firstPicture, failed, tooLate(ending.signal)]);
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

async function tooLate(signal: AbortSignal): Promise<never> {
  await delay(FIRST_MS, undefined, { ref: false, signal }).catch(() => undefined);
  throw new PlatenError('render_timeout', `the page drew nothing within ${String(FIRST_MS / 1000)} s`, { retryable: true });
}
