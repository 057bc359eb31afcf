import { isPlatenError, PlatenError, type RenderPlan } from '@platen/kernel';
import type { SharedRender, SharedRenderClient } from './shared-render.js';

/** No render is done in less. */
const SHORTEST_MS = 100;

/** The time of one request, whoever else's render it shares meanwhile. */
export interface RequestDeadline {
  /** Whether the failure is that another's time was up, and enough of one's own is left to ask again. */
  allowsAnother(error: unknown): boolean;
  /** As `join` of the flight, but no longer than the time: past it, `render_timeout`. */
  join<T>(shared: SharedRender<T>, signal: AbortSignal): Promise<SharedRenderClient<T>>;
}

export function startRequestDeadline({ timeoutMs }: Pick<RenderPlan, 'timeoutMs'>): RequestDeadline {
  const end = performance.now() + (timeoutMs ?? Infinity);
  let asksAgain = false;
  return {
    allowsAnother(error) {
      const allows = isPlatenError(error) && error.code === 'render_timeout' && end - performance.now() >= SHORTEST_MS;
      asksAgain ||= allows;
      return allows;
    },
    async join(shared, signal) {
      // What a request begins with ends by itself no later than the request's time: the first who asked began it before, or now.
      if (!asksAgain || timeoutMs === null) return await shared.join(signal);
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort(timeUp(timeoutMs));
      }, end - performance.now());
      try {
        return await shared.join(AbortSignal.any([signal, late.signal]));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function timeUp(timeoutMs: number): PlatenError {
  const seconds = String(timeoutMs / 1000);
  return new PlatenError('render_timeout', `the render was not done within ${seconds} s, a part of which went by waiting for another's`, {
    phase: 'queue',
    retryable: true,
  });
}
