import { expect, it } from 'vitest';
import { coalesceRuns } from '../../kernel/src/run-serially.js';

it('work that is requested while it is in progress is done once more, however often it was requested', async () => {
  const ends: (() => void)[] = [];
  const ask = coalesceRuns(() => new Promise((resolve) => ends.push(resolve)));
  ask();
  ask();
  ask();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  ask();
  expect(ends).toHaveLength(3);
});
