import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngines, type Engines, type Reading } from './engines.js';
import { readFragments, type Fragment, type FragmentWindow } from './fragment-table.js';

let engines: Engines;
beforeAll(() => {
  engines = openEngines();
});
afterAll(() => engines[Symbol.asyncDispose]());

/** Frames of one page. */
const BATCH = 24;
const PHONES = [{ emulate_mobile: true, browser_width: 390, browser_height: 844 }, { device: 'iPhone 13' }];

const fragments = readFragments();
const shownIn = (window: FragmentWindow) => fragments.filter((fragment) => fragment.window === window);
const expected = ({ reader, tree, hidden }: Fragment): Reading => ({ reader, tree, hidden });

/** What `html`, `txt` and `markdown` read, and what `axtree_only_visible` keeps. */
describe('the reader and the visible tree', () => {
  const framed = shownIn('frame');
  const batches = Array.from({ length: Math.ceil(framed.length / BATCH) }, (_, at) => framed.slice(at * BATCH, (at + 1) * BATCH));
  const readings = new Map<readonly Fragment[], Promise<readonly Reading[]>>();
  const cases = batches.flatMap((batch) => batch.map((fragment, at) => ({ name: fragment.name, fragment, batch, at })));

  it.each(cases)('$name', async ({ fragment, batch, at }) => {
    const reading = readings.get(batch) ?? engines.read(batch.map(({ html }) => html));
    readings.set(batch, reading);
    expect((await reading)[at]).toEqual(expected(fragment));
  });

  it.each(shownIn('main'))('$name', async (fragment) => {
    expect(await engines.read([fragment.html])).toEqual([expected(fragment)]);
  });

  it.each(PHONES.flatMap((params) => shownIn('phone').map((fragment) => [fragment.name, fragment, params] as const)))(
    '%s (phone)',
    async (_name, fragment, params) => {
      expect(await engines.read([fragment.html], params)).toEqual([expected(fragment)]);
    },
  );
});
