import { PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createAdmission, createRenderTimeAverage, QUEUE_PER_SLOT } from '../../../../plugins/service/limits/src/admit.js';

/** What `admit` reads of a plan. */
const planOf = (timeoutMs: number | null) => ({ timeoutMs }) as Parameters<ReturnType<typeof createAdmission>['admit']>[0]['plan'];

function asking(timeoutMs: number | null = null) {
  const controller = new AbortController();
  const headers = new Map<string, string>();
  const call = {
    plan: planOf(timeoutMs),
    signal: controller.signal,
    header(name: string, value: string) {
      headers.set(name, value);
    },
  };
  const leave = () => {
    controller.abort(new PlatenError('client_closed', 'left'));
  };
  return { call, headers, leave };
}

describe('without a queue', () => {
  it('F12: past the cap 429 with Retry-After and RateLimit; a freed slot is taken again', async () => {
    const admission = createAdmission({ cap: 2, queue: false });
    const first = asking();
    const slot = await admission.admit(first.call);
    expect(Object.fromEntries(first.headers)).toEqual({
      'RateLimit-Policy': '"renders";q=2;qu="concurrent-requests"',
      RateLimit: '"renders";r=1',
    });
    await admission.admit(asking().call);
    const third = asking();
    await expect(admission.admit(third.call)).rejects.toMatchObject({
      code: 'too_many_requests',
      details: { retryable: true, retry_after: 1 },
    });
    expect(third.headers.get('RateLimit')).toBe('"renders";r=0;t=1');
    slot[Symbol.dispose]();
    slot[Symbol.dispose]();
    await admission.admit(asking().call);
    await expect(admission.admit(asking().call)).rejects.toMatchObject({ code: 'too_many_requests' });
  });
});

describe('with a queue', () => {
  it('F12: keeps the order of asking, and refuses past ten times the cap', async () => {
    const admission = createAdmission({ cap: 1, queue: true });
    const order: number[] = [];
    const slots: Disposable[] = [await admission.admit(asking().call)];
    const waiting = Array.from({ length: QUEUE_PER_SLOT }, async (_, at) => {
      const slot = await admission.admit(asking().call);
      order.push(at);
      slots.push(slot);
    });
    await expect(admission.admit(asking().call)).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(admission.limiter).toMatchObject({ taken: 1, waiting: 10 });
    for (const waiter of waiting) {
      slots.pop()?.[Symbol.dispose]();
      // Who asks in the very moment in which a slot changes hands does not get it.
      await expect(Promise.race([waiter, Promise.resolve('later')])).resolves.toBe('later');
      await waiter;
    }
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('who leaves gives up its place at once, and takes no slot', async () => {
    const admission = createAdmission({ cap: 1, queue: true });
    const slot = await admission.admit(asking().call);
    const gone = asking();
    const refused = expect(admission.admit(gone.call)).rejects.toMatchObject({ code: 'client_closed' });
    const next = admission.admit(asking().call);
    gone.leave();
    expect(admission.limiter.waiting).toBe(1);
    await refused;
    slot[Symbol.dispose]();
    (await next)[Symbol.dispose]();
    expect(admission.limiter).toMatchObject({ taken: 0, waiting: 0 });
    const late = asking();
    late.leave();
    await expect(admission.admit(late.call)).rejects.toMatchObject({ code: 'client_closed' });
    expect(admission.limiter.taken).toBe(0);
  });

  it("waits no longer than the request's timeout: 504 that names the queue", async () => {
    const admission = createAdmission({ cap: 1, queue: true });
    await admission.admit(asking().call);
    await expect(admission.admit(asking(20).call)).rejects.toMatchObject({
      code: 'render_timeout',
      message: 'the render did not start within 0.02 s: it was in phase "queue"',
      details: { phase: 'queue', retryable: true },
    });
    expect(admission.limiter.waiting).toBe(0);
  });

  it('loses no slot over a thousand that leave at any moment', async () => {
    const admission = createAdmission({ cap: 4, queue: true });
    let most = 0;
    const ticks = async (count: number) => {
      for (let tick = 0; tick < count; tick += 1) await Promise.resolve();
    };
    const runs = Array.from({ length: 1000 }, async (_, at) => {
      const { call, leave } = asking();
      // A mixture of moments that repeats over and over and is nowhere even.
      await ticks((at * 7919) % 97);
      const entering = admission.admit(call).then(async (slot) => {
        most = Math.max(most, admission.limiter.taken);
        await ticks((at * 31) % 13);
        slot[Symbol.dispose]();
      });
      await ticks((at * 104_729) % 29);
      if (at % 3 !== 0) leave();
      await entering.catch(() => undefined);
    });
    await Promise.all(runs);
    expect(most).toBe(4);
    expect(admission.limiter).toMatchObject({ taken: 0, waiting: 0 });
  });
});

describe('Retry-After', () => {
  it('grows with how long renders take and with how many are ahead, within bounds', () => {
    const average = createRenderTimeAverage();
    expect(average.secondsUntilFree(4, 0)).toBe(1);
    for (let render = 0; render < 50; render += 1) average.note(8_000);
    expect(average.secondsUntilFree(4, 0)).toBe(2);
    expect(average.secondsUntilFree(4, 7)).toBe(16);
    for (let render = 0; render < 50; render += 1) average.note(100);
    expect(average.secondsUntilFree(4, 0)).toBe(1);
    average.note(1e9);
    expect(average.secondsUntilFree(1, 0)).toBe(600);
  });
});
