import { ConcurrencyLimiter } from '@platen/kernel';
import { expect, it } from 'vitest';

/** Work that ends when it is told to. */
function openWork() {
  let end: () => void = () => undefined;
  let started = false;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    work: () => ((started = true), done),
    end: () => {
      end();
    },
    isRunning: () => started,
  };
}

it('runs no more at once than it has slots, in the order of asking', async () => {
  const slots = new ConcurrencyLimiter(2);
  const works = [openWork(), openWork(), openWork(), openWork()];
  const runs = works.map(({ work }) => slots.run(work));
  const running = () => works.map(({ isRunning }) => isRunning());
  await Promise.resolve();
  await Promise.resolve();
  expect(running()).toEqual([true, true, false, false]);
  works[1]?.end();
  await runs[1];
  await Promise.resolve();
  expect(running()).toEqual([true, true, true, false]);
  works.forEach(({ end }) => {
    end();
  });
  await Promise.all(runs);
  expect(running()).toEqual([true, true, true, true]);
});

it('frees the slot of work that fails', async () => {
  const slots = new ConcurrencyLimiter(1);
  await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(slots.run(() => Promise.resolve('next'))).resolves.toBe('next');
});

it('lets go of what nobody waits for any more', async () => {
  const slots = new ConcurrencyLimiter(1);
  const first = openWork();
  const second = openWork();
  const running = slots.run(first.work);
  const gone = new AbortController();
  const waiting = slots.run(second.work, gone.signal);
  gone.abort(new Error('client left'));
  await expect(waiting).rejects.toThrow('client left');
  first.end();
  await running;
  await expect(slots.run(() => Promise.resolve('next'))).resolves.toBe('next');
  expect(second.isRunning()).toBe(false);
});

it('gives slots by turns: who has many waits behind who has fewer', async () => {
  const slots = new ConcurrencyLimiter(2);
  const { signal } = new AbortController();
  const [crawl, other] = [{}, {}];
  const granted: string[] = [];
  const ask = async (name: string, owner: object) => {
    const release = await slots.acquire(signal, owner);
    granted.push(name);
    return release;
  };
  const held = await Promise.all([ask('crawl 1', crawl), ask('crawl 2', crawl)]);
  const waiting = [ask('crawl 3', crawl), ask('crawl 4', crawl), ask('other 1', other), ask('other 2', other)];
  expect(slots.waiting).toBe(1);
  held[0]();
  const first = await waiting[2];
  held[1]();
  await waiting[0];
  first?.();
  await waiting[3];
  expect(granted).toEqual(['crawl 1', 'crawl 2', 'other 1', 'crawl 3', 'other 2']);
  expect(slots.waiting).toBe(0);
});
