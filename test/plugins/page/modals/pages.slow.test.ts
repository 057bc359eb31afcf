import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewer, type PageView, type Viewer } from './measure.js';
import { CONSENT } from './pages/consent.js';
import { HELD_OUT, HELD_OUT_AGAIN, HELD_OUT_LAST } from './pages/held-out.js';
import type { ModalPage } from './pages/page.js';
import { POPUPS } from './pages/popups.js';
import { TRAPS } from './pages/traps.js';
import { AGE_GATES } from './pages/wild/age-gates.js';
import { EIGHTH } from './pages/wild/eighth.js';
import { FIFTH_MODALS, FIFTH_TRAPS } from './pages/wild/fifth.js';
import { FIRST_MODALS, FIRST_TRAPS } from './pages/wild/first.js';
import { FOURTH_MODALS, FOURTH_TRAPS } from './pages/wild/fourth.js';
import { SECOND_MODALS, SECOND_TRAPS } from './pages/wild/second.js';
import { SEVENTH_MODALS, SEVENTH_TRAPS } from './pages/wild/seventh.js';
import { SIXTH } from './pages/wild/sixth.js';
import { THIRD_MODALS, THIRD_TRAPS } from './pages/wild/third.js';

const TRAINING = [...CONSENT, ...POPUPS, ...TRAPS];
const BEFORE_THE_MODEL = [...HELD_OUT, ...HELD_OUT_AGAIN, ...HELD_OUT_LAST];
const WILD = [
  ...[FIRST_MODALS, FIRST_TRAPS, SECOND_MODALS, SECOND_TRAPS, THIRD_MODALS, THIRD_TRAPS, FOURTH_MODALS, FOURTH_TRAPS, AGE_GATES],
  ...[FIFTH_MODALS, FIFTH_TRAPS, SIXTH, SEVENTH_MODALS, SEVENTH_TRAPS, EIGHTH],
].flat();

let viewer: Viewer;
beforeAll(async () => {
  viewer = await openViewer();
});
afterAll(() => viewer[Symbol.asyncDispose]());

const views = new Map<ModalPage, PageView>();

/** What should be gone is gone, what should stay stays, and the page was answered as it should be. */
async function check(page: ModalPage): Promise<void> {
  const view = await viewer.view(page);
  views.set(page, view);
  expect(view.seen).toEqual(
    Object.fromEntries([...page.gone.map((selector) => [selector, false]), ...page.stays.map((selector) => [selector, true])]),
  );
  expect(view.choice).toBe(page.choice ?? null);
  if (page.scrolls) expect(view.scrolls).toBe(true);
}

describe('remove_modals removes modal overlays, popups and paywalls, and leaves what belongs to the page', () => {
  // One at a time: five at once failed on a busy machine.
  it.each([...TRAINING, ...BEFORE_THE_MODEL])('$name', check);
  it.concurrent.each(WILD)('$name', check);
});

it('precision and recall are 0.95 at least, by element', () => {
  expect(views.size).toBe(TRAINING.length + BEFORE_THE_MODEL.length + WILD.length);
  const count = (names: (page: ModalPage) => readonly string[]) =>
    [...views].flatMap(([page, { seen }]) => names(page).filter((selector) => seen[selector] === false)).length;
  const right = count(({ gone }) => gone);
  const wrong = count(({ stays }) => stays);
  const wanted = [...views.keys()].flatMap(({ gone }) => gone).length;
  expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.95);
  expect(right / wanted).toBeGreaterThanOrEqual(0.95);
});

it.each([...CONSENT, ...POPUPS].filter(({ late }) => late === undefined))(
  'without remove_modals a page is captured as it is: $name',
  async (page) => {
    const { seen, choice } = await viewer.view(page, {});
    const [first = ''] = page.gone;
    expect(seen[first]).toBe(true);
    expect(choice).toBeNull();
  },
);
