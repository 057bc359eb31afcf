import { inTurns, isOverdue } from '@platen/lib-tree';
import { expect, it } from 'vitest';

it('long work lets others have turns, until it is done', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (turns < 3) setImmediate(count);
  };
  setImmediate(count);
  // Without turns this would never end.
  function* work(): Generator<void, string> {
    while (turns < 3) if (isOverdue()) yield;
    return 'done';
  }
  await expect(inTurns(work())).resolves.toBe('done');
});
