import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeadline } from '../../kernel/src/deadline.js';

const never = () => new Promise<never>(() => undefined);

describe('createDeadline', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('ends the phase that runs when the time is up, naming it and what it waits for', async () => {
    using deadline = createDeadline({ timeoutMs: 2000 });
    const waiting = deadline.run('wait', () => {
      deadline.waitingFor('css:#never');
      return never();
    });
    const caught = expect(waiting).rejects.toMatchObject({
      code: 'render_timeout',
      message: 'the render did not finish within 2 s: it was in phase "wait", waiting for css:#never',
      details: { phase: 'wait', unmet: 'css:#never' },
    });
    await vi.advanceTimersByTimeAsync(2000);
    await caught;
    expect(deadline.signal.aborted).toBe(true);
  });

  it('counts all phases against one timeout', async () => {
    using deadline = createDeadline({ timeoutMs: 1000 });
    await deadline.run('open', () => vi.advanceTimersByTimeAsync(900));
    const caught = expect(deadline.run('navigate', never)).rejects.toMatchObject({
      code: 'render_timeout',
      details: { phase: 'navigate' },
    });
    await vi.advanceTimersByTimeAsync(100);
    await caught;
  });

  it('never ends by itself without a timeout, nor with one that no timer can hold', async () => {
    using none = createDeadline({ timeoutMs: null });
    using huge = createDeadline({ timeoutMs: 1e13 });
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect([none.signal.aborted, huge.signal.aborted]).toEqual([false, false]);
  });

  it("gives the browser's own phases a limit even where the request has none", async () => {
    using deadline = createDeadline({ timeoutMs: null });
    const caught = expect(deadline.run('beforeNavigate', never)).rejects.toMatchObject({ details: { phase: 'beforeNavigate' } });
    await vi.advanceTimersByTimeAsync(30_000);
    await caught;
  });

  it('ends with client_closed when the client leaves, before or during a phase', async () => {
    const client = new AbortController();
    using deadline = createDeadline({ timeoutMs: 1000, signal: client.signal });
    const caught = expect(deadline.run('capture', never)).rejects.toMatchObject({ code: 'client_closed' });
    client.abort();
    await caught;
    await expect(deadline.run('encode', () => Promise.resolve(1))).rejects.toMatchObject({ code: 'client_closed' });
  });

  it('leaves no timer behind', () => {
    createDeadline({ timeoutMs: 1000 })[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });
});
