import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, type Page } from '@platen/kernel';
import { HUNG_MS } from './limits.js';

export type FrameFormat = 'png' | 'jpeg';

/** For video frames, which are encoded again. */
const JPEG_QUALITY = 90;

export interface FrameOrder {
  /** The browser's clock, see `browserNow`. */
  readonly ticks: number;
  /** Milliseconds until the next frame. */
  readonly interval: number;
  /** Undefined: the frame is drawn without a screenshot. */
  readonly format?: FrameFormat | undefined;
}

/** Milliseconds of the system's monotonic clock, by which Chromium times its frames too. */
export function browserNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Draws one frame (HeadlessExperimental.beginFrame). Returns its screenshot, if one was requested and the browser made one. */
export async function beginFrame(page: Page, { ticks, interval, format }: FrameOrder): Promise<Buffer | undefined> {
  const { screenshotData } = await page.send(
    'HeadlessExperimental.beginFrame',
    { frameTimeTicks: ticks, interval, ...(format === undefined ? {} : { screenshot: screenshotOptions(format) }) },
    { timeoutMs: HUNG_MS },
  );
  return screenshotData === undefined || screenshotData === '' ? undefined : Buffer.from(screenshotData, 'base64');
}

/** The protocol's format options, for screencasts and single frames. */
export function screenshotOptions(format: FrameFormat): { format: FrameFormat; quality?: number; optimizeForSpeed?: boolean } {
  return format === 'png' ? { format, optimizeForSpeed: true } : { format, quality: JPEG_QUALITY };
}

/** The refresh interval of a screen. */
const INTERVAL_MS = 1000 / 60;
/** Frames in a row that may fail, as happens while a document is replaced. */
const MAX_FAILURES = 5;

/** Draws frames in real time in a browser that draws none by itself, so that its pages load, animate and play as usual. */
export interface FrameClock {
  /** Whether frames are drawn on command: false in a browser that does not know the command and draws by itself. */
  readonly atCommand: Promise<boolean>;
  /** Rejects when the page accepts no more frames. */
  readonly failed: Promise<never>;
  /** Resolves when the last frame is drawn. */
  stop(): Promise<void>;
}

export function startFrameClock(page: Page): FrameClock {
  const answer = createAnswer();
  let stopped = false;
  const run = async (): Promise<void> => {
    for (let failures = 0; !stopped && answer.value !== false;) {
      const started = browserNow();
      try {
        await beginFrame(page, { ticks: started, interval: INTERVAL_MS });
        answer.give(true);
        failures = 0;
      } catch (error) {
        // Any error that is not a Platen error is a refusal by the protocol.
        if (!isPlatenError(error)) answer.give(false);
        failures += 1;
        if (failures === MAX_FAILURES) throw error;
      }
      await delay(Math.max(0, INTERVAL_MS - (browserNow() - started)), undefined, { ref: false });
    }
  };
  const running = run();
  const ended = running.catch(() => {
    answer.give(true);
  });
  const failed = running.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return {
    atCommand: answer.given,
    failed,
    async stop() {
      stopped = true;
      await ended;
    },
  };
}

/** Only the first call counts. */
function createAnswer() {
  let value: boolean | undefined;
  let resolve: (value: boolean) => void = () => undefined;
  const given = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  return {
    given,
    get value() {
      return value;
    },
    give(word: boolean) {
      value ??= word;
      resolve(value);
    },
  };
}
