import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, type Page } from '@platen/kernel';
import { beginFrame, browserNow } from './begin-frame.js';

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
