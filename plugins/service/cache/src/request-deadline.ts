import { isPlatenError, PlatenError, type RenderPlan } from '@platen/kernel';
import type { SharedRender, SharedRenderClient } from './shared-render.js';

/** No render finishes in less time. */
const SHORTEST_MS = 100;

/** The deadline of one request, independent of the renders that it shares. */
export interface RequestDeadline {
  /** Whether another client's deadline caused the error, and enough time is left to render again. */
  allowsAnother(error: unknown): boolean;
  /** Like `SharedRender.join`; rejects with `render_timeout` at the deadline. */
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
      // The first render that a request joins or starts ends by itself before the request's deadline: it started earlier, or now.
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
  return new PlatenError('render_timeout', `the render did not finish within ${seconds} s, including the wait for a shared render`, {
    phase: 'queue',
    retryable: true,
  });
}
