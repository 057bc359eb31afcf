import { isPlatenError, PlatenError, type RenderContext, type RenderPlan } from '@platen/kernel';
import type { VideoPlan } from './video-plan.js';
import { HUNG_MS } from './limits.js';

/** The page hangs while its clock is stopped. */
export class PageHung extends Error {
  override readonly name = 'PageHung';
}

/** Requests whose page hung: the kernel retries a render whose browser is lost, with another plan, which is then recorded live. */
const hung = new WeakSet<RenderPlan['params']>();

export function isLiveRetry({ params }: Pick<RenderPlan, 'params'>): boolean {
  return hung.has(params);
}

/** Time to release the first browser's page and to start another browser, on a busy machine. */
const REOPEN_MS = 5_000;
/** Share of a live recording's total time, for the encoder's work after the last frame. */
const ENCODE_SHARE = 0.1;
/** No working page makes no progress for longer, unless its machine is very busy. */
const LEAST_HANG_TIMEOUT_MS = 5_000;

export interface RetryTimes {
  readonly video: Pick<VideoPlan, 'duration'>;
  /** When the page was opened, by performance.now(). */
  readonly opened: number;
}

/**
 * How long a step of a deterministic recording may make no progress, in milliseconds: half of the time after which a live recording from
 * the start would come too late. Undefined if it would be too late already, or if the page must not be loaded twice.
 */
export function planHangTimeout(
  { plan, deadlineAt }: Pick<RenderContext, 'plan' | 'deadlineAt'>,
  { video, opened }: RetryTimes,
): () => number | undefined {
  if (!plan.retryable) return () => undefined;
  const again = performance.now() - opened + REOPEN_MS + video.duration * 1000;
  const lastCall = deadlineAt - again * (1 + ENCODE_SHARE);
  return () => {
    const left = lastCall - performance.now();
    return left < LEAST_HANG_TIMEOUT_MS ? undefined : Math.min(HUNG_MS, Math.max(LEAST_HANG_TIMEOUT_MS, left / 2));
  };
}

/**
 * Ends the deterministic recording of a hung page with the error that makes the kernel retry (`browser_lost`, because the browser is no
 * longer usable), this time live. Returns every other error unchanged.
 */
export function retryLive({ plan, log }: Pick<RenderContext, 'plan' | 'log'>, error: unknown): unknown {
  if (!plan.retryable || !isHang(error)) return error;
  hung.add(plan.params);
  log.warn({ err: error }, 'the page hung while its clock was stopped: it is recorded again, live');
  return new PlatenError('browser_lost', 'the page hung while it was recorded', { cause: error, retryable: true });
}

/** An error that is not a Platen error comes from the protocol: the browser refuses to draw. */
function isHang(error: unknown): boolean {
  return !isPlatenError(error) || error.code === 'browser_lost';
}
