import { runYielding, shouldYield } from '@platen/lib-accessibility-tree';
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
    while (turns < 3) if (shouldYield()) yield;
    return 'done';
  }
  await expect(runYielding(work())).resolves.toBe('done');
});
