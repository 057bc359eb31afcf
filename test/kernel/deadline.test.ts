import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeadline, limitSignal, withTimeout } from '../../kernel/src/deadline.js';
import { until } from '../helpers/until.js';

const never = () => new Promise<never>(() => undefined);

describe('createDeadline', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('ends the phase that runs when the time is up, naming it and what it waits for', async () => {
    using deadline = createDeadline({ timeoutMs: 2000 });
    const waiting = deadline.run('wait', () => {
      deadline.setWaitReason('css:#never');
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

  it('a timeout that starts later leaves everything before it alone', async () => {
    using deadline = createDeadline({ timeoutMs: 1000, startsLater: true });
    await deadline.run('navigate', () => vi.advanceTimersByTimeAsync(60_000));
    expect(deadline.endsAt).toBe(Infinity);
    deadline.start();
    expect(deadline.endsAt).toBe(performance.now() + 1000);
    const caught = expect(deadline.run('wait', never)).rejects.toMatchObject({ code: 'render_timeout' });
    await vi.advanceTimersByTimeAsync(1000);
    await caught;
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

  it('blames no phase that is over for the time that an output takes to be read', async () => {
    using deadline = createDeadline({ timeoutMs: 1000 });
    await deadline.run('additionalAssets', () => Promise.resolve());
    deadline.streaming();
    await vi.advanceTimersByTimeAsync(1000);
    expect(deadline.signal.reason).toMatchObject({
      message: 'the render did not finish within 1 s: it was in phase "encode", waiting for the output to be read to its end',
    });
  });

  it('adds up the time of a phase that runs twice', async () => {
    using deadline = createDeadline({ timeoutMs: null });
    await deadline.run('additionalAssets', () => vi.advanceTimersByTimeAsync(300));
    await deadline.run('encode', () => vi.advanceTimersByTimeAsync(50));
    await deadline.run('additionalAssets', () => vi.advanceTimersByTimeAsync(20));
    expect(deadline.elapsed).toEqual({ additionalAssets: 320, encode: 50 });
  });

  it('says when the time will be up', () => {
    using some = createDeadline({ timeoutMs: 2000 });
    using none = createDeadline({ timeoutMs: null });
    expect([some.endsAt - performance.now(), none.endsAt]).toEqual([2000, Infinity]);
  });

  it('never ends by itself without a timeout, nor with one that no timer can hold', async () => {
    using none = createDeadline({ timeoutMs: null });
    using huge = createDeadline({ timeoutMs: 1e13 });
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect([none.signal.aborted, huge.signal.aborted]).toEqual([false, false]);
  });

  it.each([
    ['beforeNavigate', 30_000],
    ['additionalAssets', 120_000],
  ] as const)('gives the phase "%s", which the page has no say in, a limit even where the request has none', async (phase, limit) => {
    using deadline = createDeadline({ timeoutMs: null });
    const caught = expect(deadline.run(phase, never)).rejects.toMatchObject({ code: 'render_timeout', details: { phase } });
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(deadline.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await caught;
  });

  it.each(['open', 'navigate', 'wait', 'capture', 'encode'] as const)(
    'leaves the phase "%s" to the timeout of the request, and names it where that is up',
    async (phase) => {
      using none = createDeadline({ timeoutMs: null });
      using some = createDeadline({ timeoutMs: 600_000 });
      void none.run(phase, never);
      const caught = expect(some.run(phase, never)).rejects.toMatchObject({ code: 'render_timeout', details: { phase } });
      await vi.advanceTimersByTimeAsync(599_999);
      expect([none.signal.aborted, some.signal.aborted]).toEqual([false, false]);
      await vi.advanceTimersByTimeAsync(1);
      await caught;
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect(none.signal.aborted).toBe(false);
    },
  );

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

  it('time that was spent before counts, and the error names the whole', async () => {
    using deadline = createDeadline({ timeoutMs: 60_000, spentMs: 60_000 });
    expect(deadline.endsAt).toBeLessThanOrEqual(performance.now());
    const ended = expect(deadline.run('open', () => new Promise(() => undefined))).rejects.toMatchObject({
      code: 'render_timeout',
      message: expect.stringContaining('within 60 s') as string,
    });
    await vi.advanceTimersByTimeAsync(1);
    await ended;
  });
});

describe('withTimeout', () => {
  it.each([
    ['the outcome of a promise that settles in time', Promise.resolve('done'), 'done'],
    ['undefined for one that does not', never(), undefined],
  ])('is %s', async (_, promise, outcome) => {
    await expect(withTimeout(promise, 1)).resolves.toBe(outcome);
  });

  it('rejects as the promise does', async () => {
    await expect(withTimeout(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken');
  });
});

describe('limitSignal', () => {
  it('aborts when the time is up, also after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    using limit = limitSignal(new AbortController().signal, 50);
    collectGarbage();
    await until(() => limit.signal.aborted);
    expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(limit.isUp).toBe(true);
  });

  it.each([1000, Infinity])('leaves no timer behind (%s ms)', (ms) => {
    vi.useFakeTimers();
    try {
      const limit = limitSignal(new AbortController().signal, ms);
      expect(vi.getTimerCount()).toBe(ms === Infinity ? 0 : 1);
      limit[Symbol.dispose]();
      expect(vi.getTimerCount()).toBe(0);
      expect(limit).toMatchObject({ isUp: false, signal: { aborted: false } });
    } finally {
      vi.useRealTimers();
    }
  });

  it('aborts with the signal, and its reason', () => {
    const controller = new AbortController();
    using limit = limitSignal(controller.signal, 60_000);
    controller.abort(new Error('left'));
    expect(limit.signal.reason).toMatchObject({ message: 'left' });
    expect(limit.isUp).toBe(false);
  });
});
