import { setTimeout as delay } from 'node:timers/promises';
import { PlatenError, type Page } from '@platen/kernel';
import { beginFrame, browserNow, type FrameFormat } from './begin-frame.js';

/** Films a page whose clock stands still between two frames: each frame shows exactly its own moment, however long it takes to draw. */
export interface VirtualCamera {
  readonly first: Buffer;
  /** Lets the page's clock go on by one frame, and draws it; undefined where the browser made no picture, or none was wanted. */
  next(options: { readonly draw: boolean }): Promise<Buffer | undefined>;
}

export interface CameraOptions {
  readonly format: FrameFormat;
  readonly framerate: number;
}

/** Pages that count frames instead of looking at the clock are used to so many a second. */
const SCREEN_RATE = 60;
/** How long the page may take over a fraction of a frame before a script of it counts as spinning. */
const STUCK_MS = 4_000;
/** The first order may find nothing to draw yet. */
const FIRST_TRIES = 5;

/** Stops the page's clock (Emulation.setVirtualTimePolicy) and draws the first frame. Nothing else may draw frames any more. */
export async function openVirtualCamera(page: Page, { format, framerate }: CameraOptions): Promise<VirtualCamera> {
  await page.send('Emulation.setVirtualTimePolicy', { policy: 'pause' }, { timeoutMs: STUCK_MS });
  const steps = Math.max(1, Math.round(SCREEN_RATE / framerate));
  const interval = 1000 / framerate / steps;
  let ticks = browserNow();

  const drawFirst = async (): Promise<Buffer> => {
    for (let tries = 0; tries < FIRST_TRIES; tries++) {
      // The clock stands still meanwhile: the tiny step only keeps one frame from having the time of another.
      ticks += 0.01;
      const picture = await beginFrame(page, { ticks, interval, format });
      if (picture !== undefined) return picture;
    }
    throw new PlatenError('browser_lost', 'the browser draws no frames', { retryable: true });
  };

  const drawn = (picture: { readonly format?: FrameFormat }) => unstick(page, beginFrame(page, { ticks, interval, ...picture }));

  return {
    first: await drawFirst(),
    async next({ draw }) {
      for (let step = 1; step < steps; step++) {
        await liveThrough(page, interval);
        ticks += interval;
        if (draw) await drawn({});
      }
      await liveThrough(page, interval);
      ticks += interval;
      return draw ? drawn({ format }) : undefined;
    },
  };
}

/** Lets the page's clock go on by so many milliseconds. */
async function liveThrough(page: Page, budget: number): Promise<void> {
  let forget: () => void = () => undefined;
  const expired = new Promise<void>((resolve) => {
    forget = page.on('Emulation.virtualTimeBudgetExpired', () => {
      resolve();
    });
  });
  try {
    const advancing = page.send('Emulation.setVirtualTimePolicy', { policy: 'advance', budget }, { timeoutMs: 3 * STUCK_MS });
    await unstick(
      page,
      advancing.then(() => expired),
    );
  } finally {
    forget();
  }
}

/**
 * Waits for what the page is to do. A script that waits for time to pass without letting go of the page waits for ever, since the
 * clock stands still while it runs: such a script is ended.
 */
async function unstick<T>(page: Page, work: Promise<T>): Promise<T> {
  for (let tries = 0; tries < 2; tries++) {
    const done = await settledWithin(work, STUCK_MS);
    if (done) return work;
    await page.send('Runtime.terminateExecution', undefined, { timeoutMs: STUCK_MS });
  }
  if (await settledWithin(work, STUCK_MS)) return work;
  throw new PlatenError('render_timeout', `the page stood still for ${String((3 * STUCK_MS) / 1000)} s while it was filmed`, {
    retryable: true,
  });
}

/** Whether the promise was kept in time; rejects as it does. */
async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const limit = new AbortController();
  const late = delay(ms, false, { ref: false, signal: limit.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    limit.abort();
  }
}
