import { expect, describe, test } from 'vitest';
import { PlatenError } from '../../../../kernel/src/errors.js';
import { openPool } from '../open-pool.js';

const PAGE = 'data:text/html,<h1>hello</h1>';

describe('a lease whose time is up', () => {
  const timeUp = new PlatenError('render_timeout', 'too late');
  const forever = () => new Promise<never>(() => undefined);

  test('rejects the calls under way, and takes others until it ends', async () => {
    await using pool = openPool();
    const controller = new AbortController();
    const lease = await pool.lease({ signal: controller.signal });
    await lease.tab.page.goto(PAGE);
    await lease.tab.page.lifecycle.reached('load');
    const calling = lease.tab.page.evaluate(forever);
    controller.abort(timeUp);
    await expect(calling).rejects.toBe(timeUp);
    expect(await lease.tab.page.evaluate(() => document.body.textContent)).toBe('hello');
    await expect(lease.tab.page.evaluate(forever)).rejects.toThrow('the page did not answer within 1 s');
    await lease[Symbol.asyncDispose]();
    await expect(lease.tab.page.evaluate(() => 1)).rejects.toThrow('the page is closed');
  });

  test('takes no call any more where its client has left', async () => {
    await using pool = openPool();
    const controller = new AbortController();
    await using lease = await pool.lease({ signal: controller.signal });
    const gone = new PlatenError('client_closed', 'gone');
    controller.abort(gone);
    await expect(lease.tab.page.evaluate(() => 1)).rejects.toBe(gone);
  });
});
