import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewer, type PageView, type Viewer } from './measure.js';
import { CONSENT } from './pages/consent.js';
import type { ModalPage } from './pages/page.js';
import { POPUPS } from './pages/popups.js';
import { TRAPS } from './pages/traps.js';
import { expectView, worth } from './verdicts.js';

const MODALS = [...CONSENT, ...POPUPS];

let viewer: Viewer;
beforeAll(async () => {
  viewer = await openViewer();
});
afterAll(() => viewer[Symbol.asyncDispose]());

/** What was seen of each page. */
const views = new Map<ModalPage, PageView>();

async function view(page: ModalPage): Promise<PageView> {
  const seen = await viewer.view(page);
  views.set(page, seen);
  return seen;
}

describe('remove_modals removes modal overlays, popups and paywalls', () => {
  it.each(MODALS)('$name', async (page) => {
    expectView(await view(page), page);
  });
});

describe('remove_modals leaves what belongs to the page', () => {
  it.each(TRAPS)('$name', async (page) => {
    expectView(await view(page), page);
  });
});

describe('over all pages', () => {
  it('precision and recall are 0.95 at least', async () => {
    for (const page of [...MODALS, ...TRAPS]) if (!views.has(page)) await view(page);
    const { precision, recall } = worth(views);
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
