import { describe, expect, it } from 'vitest';
import { createClock } from '../../kernel/src/clock.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const idsOf = (seed: number) => {
  const clock = createClock({ time: 0, seed });
  return Array.from({ length: 3 }, () => clock.uuid());
};

describe('the clock of a frozen render', () => {
  it('stands', () => {
    const clock = createClock({ time: 1e12, seed: 1 });
    expect([clock.isFrozen, clock.now(), clock.now()]).toEqual([true, new Date(1e12), new Date(1e12)]);
  });

  it('makes the same ids of a seed, each once', () => {
    const ids = idsOf(7);
    expect(ids).toEqual(idsOf(7));
    expect(new Set([...ids, ...idsOf(8)])).toHaveProperty('size', 6);
    for (const id of ids) expect(id).toMatch(UUID);
  });
});

it('without a fixed time, the clock goes and no id comes again', () => {
  const clock = createClock();
  const before = Date.now();
  expect(clock.isFrozen).toBe(false);
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  expect(clock.uuid()).not.toBe(clock.uuid());
});
