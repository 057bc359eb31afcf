import { describe, expect, it } from 'vitest';
import { rig, tapping } from './pipeline-rig.js';

describe('plugins that navigate', () => {
  it('a plugin that navigates may load the target first, and its page is not to be loaded again', async () => {
    const seen: boolean[] = [];
    const navigator = tapping('navigator', ({ hooks }) => {
      hooks.navigate.tapPromise('navigator', async (context) => {
        seen.push(context.isNavigatedByPlugin);
        await context.open();
        expect(context.response).toMatchObject({ status: 200 });
        return { by: 'navigator' };
      });
      hooks.beforeCapture.tap('navigator', (context) => void seen.push(context.isNavigatedByPlugin));
    });
    const { events, run } = rig(navigator);
    await run();
    expect(seen).toEqual([false, true]);
    expect(events.filter((event) => event.startsWith('goto'))).toEqual(['goto http://site.test/']);
  });

  it('captures the page that a plugin shows', async () => {
    const other = { name: 'other' };
    const shown: unknown[] = [];
    const navigator = tapping('navigator', ({ hooks }) => {
      hooks.navigate.tap('navigator', (context) => {
        context.show(other as never);
        return { by: 'navigator' };
      });
    });
    const { lease, hooks, run } = rig(navigator);
    hooks.waitFor.tap('probe', () => ({ condition: 'none' }));
    hooks.beforeCapture.tap('probe', ({ page }) => void shown.push(page));
    await run();
    expect([...shown, lease.tab.shown]).toEqual([other, other]);
  });
});
