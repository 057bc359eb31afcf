import { afterAll, beforeAll, expect, it } from 'vitest';
import { openViewer, type Viewer } from './measure.js';
import { HELD_OUT_AGAIN } from './pages/held-out-again.js';
import { HELD_OUT_LAST } from './pages/held-out-last.js';
import { HELD_OUT } from './pages/held-out.js';

let viewer: Viewer;
beforeAll(async () => {
  viewer = await openViewer();
});
afterAll(() => viewer[Symbol.asyncDispose]());

it.each([...HELD_OUT, ...HELD_OUT_AGAIN, ...HELD_OUT_LAST])('$name', async (page) => {
  const { gone, stays } = page;
  const sight = await viewer.view(page);
  expect(sight.seen).toEqual(
    Object.fromEntries([...gone.map((selector) => [selector, false]), ...stays.map((selector) => [selector, true])]),
  );
  expect(sight.choice).toBe(page.choice ?? null);
  if (page.scrolls) expect(sight.scrolls).toBe(true);
});
