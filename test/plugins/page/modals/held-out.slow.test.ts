import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewer, type PageView, type Viewer } from './measure.js';
import { HELD_OUT_AGAIN } from './pages/held-out-again.js';
import { HELD_OUT_LAST } from './pages/held-out-last.js';
import { HELD_OUT } from './pages/held-out.js';
import type { ModalPage } from './pages/page.js';
import { AGE_GATES } from './pages/wild/age-gates.js';
import { EIGHTH } from './pages/wild/eighth.js';
import { FIFTH_MODALS } from './pages/wild/fifth-modals.js';
import { FIFTH_TRAPS } from './pages/wild/fifth-traps.js';
import { FIRST_MODALS } from './pages/wild/first-modals.js';
import { FIRST_TRAPS } from './pages/wild/first-traps.js';
import { FOURTH_MODALS } from './pages/wild/fourth-modals.js';
import { FOURTH_TRAPS } from './pages/wild/fourth-traps.js';
import { SECOND_MODALS } from './pages/wild/second-modals.js';
import { SECOND_TRAPS } from './pages/wild/second-traps.js';
import { SEVENTH_MODALS } from './pages/wild/seventh-modals.js';
import { SEVENTH_TRAPS } from './pages/wild/seventh-traps.js';
import { SIXTH } from './pages/wild/sixth.js';
import { THIRD_MODALS } from './pages/wild/third-modals.js';
import { THIRD_TRAPS } from './pages/wild/third-traps.js';
import { expectView, worth } from './verdicts.js';

const SETS: Readonly<Record<string, readonly ModalPage[]>> = {
  'before the model': [...HELD_OUT, ...HELD_OUT_AGAIN, ...HELD_OUT_LAST],
  first: [...FIRST_MODALS, ...FIRST_TRAPS],
  second: [...SECOND_MODALS, ...SECOND_TRAPS],
  third: [...THIRD_MODALS, ...THIRD_TRAPS],
  fourth: [...FOURTH_MODALS, ...FOURTH_TRAPS, ...AGE_GATES],
  'fifth, of little text': [...FIFTH_MODALS, ...FIFTH_TRAPS],
  'sixth, of little text': SIXTH,
  'seventh, of kinds that were missed': [...SEVENTH_MODALS, ...SEVENTH_TRAPS],
  'eighth, of those kinds and traps for them': EIGHTH,
};

let viewer: Viewer;
beforeAll(async () => {
  viewer = await openViewer();
});
afterAll(() => viewer[Symbol.asyncDispose]());

describe.each(Object.entries(SETS))('held-out pages: %s', (name, pages) => {
  const views = new Map<ModalPage, PageView>();

  // One at a time in the first set: five at once failed on a busy machine.
  const each = name === 'before the model' ? it : it.concurrent;
  each.each(pages)('$name', async (page) => {
    const view = await viewer.view(page);
    views.set(page, view);
    expectView(view, page);
  });

  it('precision and recall are 0.95 at least', () => {
    expect(views.size).toBe(pages.length);
    const { precision, recall } = worth(views);
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.95);
  });
});
