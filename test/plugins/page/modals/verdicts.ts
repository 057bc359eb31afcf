import { expect } from 'vitest';
import type { PageView } from './measure.js';
import type { ModalPage } from './pages/page.js';

/** That what should be gone is gone, what should stay stays, and the page was answered as it should be. */
export function expectView({ seen, choice, scrolls }: PageView, page: ModalPage): void {
  expect(seen).toEqual(
    Object.fromEntries([...page.gone.map((selector) => [selector, false]), ...page.stays.map((selector) => [selector, true])]),
  );
  expect(choice).toBe(page.choice ?? null);
  if (page.scrolls) expect(scrolls).toBe(true);
}

/** By element: of what was taken, what should be; of what should be, what was taken. 0 to 1. */
export function worth(views: ReadonlyMap<ModalPage, PageView>): { readonly precision: number; readonly recall: number } {
  const count = (names: (page: ModalPage) => readonly string[]) =>
    [...views].flatMap(([page, { seen }]) => names(page).filter((selector) => seen[selector] === false)).length;
  const right = count(({ gone }) => gone);
  const wrong = count(({ stays }) => stays);
  const wanted = [...views.keys()].flatMap(({ gone }) => gone).length;
  return { precision: right / (right + wrong), recall: right / wanted };
}
