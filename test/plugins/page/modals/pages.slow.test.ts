import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewer, type Sight, type Viewer } from './measure.js';
import { CONSENT } from './pages/consent.js';
import type { ModalPage } from './pages/page.js';
import { POPUPS } from './pages/popups.js';
import { TRAPS } from './pages/traps.js';
import { expectSight, worth } from './verdicts.js';

const MODALS = [...CONSENT, ...POPUPS];

let viewer: Viewer;
beforeAll(async () => {
  viewer = await openViewer();
});
afterAll(() => viewer[Symbol.asyncDispose]());

/** What was seen of each page. */
const sights = new Map<ModalPage, Sight>();

async function view(page: ModalPage): Promise<Sight> {
  const sight = await viewer.view(page);
  sights.set(page, sight);
  return sight;
}

describe('remove_modals removes modal overlays, popups and paywalls', () => {
  it.each(MODALS)('$name', async (page) => {
    expectSight(await view(page), page);
  });
});

describe('remove_modals leaves what belongs to the page', () => {
  it.each(TRAPS)('$name', async (page) => {
    expectSight(await view(page), page);
  });
});

describe('over all pages', () => {
  it('precision and recall are 0.95 at least', async () => {
    for (const page of [...MODALS, ...TRAPS]) if (!sights.has(page)) await view(page);
    const { precision, recall } = worth(sights);
    expect(precision).toBeGreaterThanOrEqual(0.95);
    expect(recall).toBeGreaterThanOrEqual(0.95);
  });
});

it.each(MODALS.filter(({ late }) => late === undefined))('without remove_modals a page is captured as it is: $name', async (page) => {
  const { seen, choice } = await viewer.view(page, {});
  const [first = ''] = page.gone;
  expect(seen[first]).toBe(true);
  expect(choice).toBeNull();
});
