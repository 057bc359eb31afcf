import { expect, it } from 'vitest';
import { Changes } from '../../kernel/src/changes.js';

it('a change wakes all tasks that wait for it, and none that wait for the next one', async () => {
  const changes = new Changes();
  const woken: string[] = [];
  const wait = async (name: string) => {
    await changes.next();
    woken.push(name);
  };
  changes.notify();
  const [first, second] = [wait('first'), wait('second')];
  await new Promise(setImmediate);
  expect(woken).toEqual([]);
  changes.notify();
  const third = wait('third');
  await Promise.all([first, second]);
  expect(woken).toEqual(['first', 'second']);
  changes.notify();
  await third;
});

it('a change between the call and the wait is not missed', async () => {
  const changes = new Changes();
  const changed = changes.next();
  changes.notify();
  await changed;
});
