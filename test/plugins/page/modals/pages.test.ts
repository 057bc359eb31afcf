import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openViewer, type Sight, type Viewer } from './measure.js';
import { CONSENT } from './pages/consent.js';
import type { ModalPage } from './pages/page.js';
import { POPUPS } from './pages/popups.js';
import { TRAPS } from './pages/traps.js';

const MODALS = [...CONSENT, ...POPUPS];

let viewer: Viewer;
beforeAll(async () => {
  viewer = await openViewer();
});
afterAll(() => viewer[Symbol.asyncDispose]());

/** What was seen of each page, by its name. */
const sights = new Map<string, Sight>();

async function view(page: ModalPage): Promise<Sight> {
  const sight = await viewer.view(page);
  sights.set(page.name, sight);
  return sight;
}

const expected = ({ gone, stays }: ModalPage) =>
  Object.fromEntries([...gone.map((selector) => [selector, false]), ...stays.map((selector) => [selector, true])]);

describe('remove_modals removes modal overlays, popups and paywalls', () => {
  it.each(MODALS)('$name', async (page) => {
    const sight = await view(page);
    expect(sight.seen).toEqual(expected(page));
    expect(sight.choice).toBe(page.choice ?? null);
    if (page.scrolls) expect(sight.scrolls).toBe(true);
  });
});

describe('remove_modals leaves what belongs to the page', () => {
  it.each(TRAPS)('$name', async (page) => {
    const sight = await view(page);
    expect(sight.seen).toEqual(expected(page));
    expect(sight.choice).toBeNull();
  });
});

describe('over all pages', () => {
  it('precision and recall are 0.95 at least', async () => {
    const pages = [...MODALS, ...TRAPS];
    for (const page of pages) if (!sights.has(page.name)) await view(page);
    const hidden = (page: ModalPage, selectors: readonly string[]) =>
      selectors.filter((selector) => sights.get(page.name)?.seen[selector] === false).length;
    const right = pages.reduce((sum, page) => sum + hidden(page, page.gone), 0);
    const wrong = pages.reduce((sum, page) => sum + hidden(page, page.stays), 0);
    const wanted = pages.reduce((sum, { gone }) => sum + gone.length, 0);
    expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.95);
    expect(right / wanted).toBeGreaterThanOrEqual(0.95);
  });
});

it.each(MODALS.filter(({ late }) => late === undefined))('without remove_modals a page is captured as it is: $name', async (page) => {
  const { seen, choice } = await viewer.view(page, {});
  const [first = ''] = page.gone;
  expect(seen[first]).toBe(true);
  expect(choice).toBeNull();
});
