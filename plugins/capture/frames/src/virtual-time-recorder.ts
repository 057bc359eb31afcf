import { PlatenError, type Page } from '@platen/kernel';
import { beginFrame, browserNow, type FrameFormat } from './begin-frame.js';
import { HUNG_MS } from './limits.js';
import { withHangTimeout, type HangTimeout } from './hang-timeout.js';

/** Records a page whose clock is stopped between two frames. Each frame shows exactly its own moment, however long it takes to draw. */
export interface VirtualTimeRecorder {
  readonly first: Buffer;
  /** Advances the page's clock by one frame and draws it; undefined if the browser made no screenshot or none was requested. */
  next(options: { readonly draw: boolean }): Promise<Buffer | undefined>;
}

export interface RecorderOptions {
  readonly format: FrameFormat;
  readonly framerate: number;
  readonly hangTimeoutMs: HangTimeout['hangTimeoutMs'];
}

/** Pages that count frames instead of reading the clock expect this many per second. */
const SCREEN_RATE = 60;
/** The first command may find nothing to draw yet. */
const FIRST_TRIES = 5;

/**
 * Stops the page's clock (Emulation.setVirtualTimePolicy) and draws the first frame. From then on, no other code may draw frames. Every
 * step is limited by `withHangTimeout`.
 */
export async function openVirtualTimeRecorder(
  page: Page,
  { format, framerate, hangTimeoutMs }: RecorderOptions,
): Promise<VirtualTimeRecorder> {
  const hangTimeout: HangTimeout = { page, hangTimeoutMs };
  await withHangTimeout(hangTimeout, page.send('Performance.enable', { timeDomain: 'threadTicks' }, { timeoutMs: HUNG_MS }));
  await withHangTimeout(hangTimeout, page.send('Emulation.setVirtualTimePolicy', { policy: 'pause' }, { timeoutMs: HUNG_MS }));
  const steps = Math.max(1, Math.round(SCREEN_RATE / framerate));
  const interval = 1000 / framerate / steps;
  let ticks = browserNow();

  const drawFirst = async (): Promise<Buffer> => {
    for (let tries = 0; tries < FIRST_TRIES; tries++) {
      // The clock is stopped meanwhile. The tiny step only keeps two frames from having the same time.
      ticks += 0.01;
      const screenshot = await withHangTimeout(hangTimeout, beginFrame(page, { ticks, interval, format }));
      if (screenshot !== undefined) return screenshot;
    }
    throw new PlatenError('browser_lost', 'the browser draws no frames', { retryable: true });
  };

  const drawn = (options: { readonly format?: FrameFormat }) =>
    withHangTimeout(hangTimeout, beginFrame(page, { ticks, interval, ...options }));

  const step = async () => {
    await advanceClock(page, hangTimeout, interval);
    ticks += interval;
  };

  // A timer that was due when the clock was stopped has not run yet. The first frame that counts is drawn a step later, like all others.
  const drawnFirst = await drawFirst();
  await step();
  return {
    first: (await drawn({ format })) ?? drawnFirst,
    async next({ draw }) {
      for (let done = 1; done < steps; done++) {
        await step();
        if (draw) await drawn({});
      }
      await step();
      return draw ? drawn({ format }) : undefined;
    },
  };
}

/** Advances the page's clock by this many milliseconds. */
async function advanceClock(page: Page, hangTimeout: HangTimeout, budget: number): Promise<void> {
  let forget: () => void = () => undefined;
  const expired = new Promise<void>((resolve) => {
    forget = page.on('Emulation.virtualTimeBudgetExpired', () => {
      resolve();
    });
  });
  try {
    const advancing = page.send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget }, { timeoutMs: HUNG_MS });
    await withHangTimeout(
      hangTimeout,
      advancing.then(() => expired),
    );
  } finally {
    forget();
  }
}
