import { expect, it } from 'vitest';
import { openPool } from '../open-pool.js';

it('a second session on the page shares nothing of its configuration, is no target of its own, and ends with the page', async () => {
  await using pool = openPool();
  await using lease = await pool.lease();
  const {
    tab: { page },
  } = lease;
  let configured = 0;
  page.targets.configure(() => {
    configured += 1;
    return [];
  });
  const second = await page.openSession();
  const heard: string[] = [];
  second.on('Network.requestWillBeSent', ({ request }) => heard.push(request.url));
  await page.goto('data:text/html,<p id=here>');
  await page.lifecycle.reached('load');
  expect(heard).toEqual([]);
  expect(page.targets.all).toHaveLength(1);
  expect(configured).toBe(1);
  const { result } = await second.send('Runtime.evaluate', { expression: 'document.querySelector("#here") !== null' });
  expect(result.value).toBe(true);
  const pending = second.send('Runtime.evaluate', { expression: 'new Promise(() => {})', awaitPromise: true });
  await Promise.all([expect(pending).rejects.toThrow(), lease[Symbol.asyncDispose]()]);
  await expect(second.send('Runtime.evaluate', { expression: '1' })).rejects.toThrow();
});
