import navigatorScripts from '@platen/plugin-navigator-scripts';
import steps from '@platen/plugin-steps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Turn } from '../../../helpers/navigator-script.js';
import { openSite } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from '../navigate/open-host.js';
import { FLOWS } from '../navigate/sites/flows.js';
import { WIDGETS } from '../navigate/sites/widgets.js';
import { CASES, openCase } from './sites.js';

let host: NavigatorHost;
beforeAll(() => {
  host = openNavigatorHost({}, [navigatorScripts, steps]);
});
afterAll(() => host[Symbol.asyncDispose]());

interface Replay {
  readonly turns: readonly Turn[];
  readonly url: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** What the server has noted. */
  readonly noted: unknown[];
  readonly expected: readonly unknown[];
}

const GIVEN = ['navigator_credential', 'navigator_file'];

/** Navigates once with a model, then by the steps alone. */
async function replay({ turns, url, params, noted, expected }: Replay): Promise<void> {
  const recorded = await host.navigate(turns, { url, with_navigator_steps: true, ...params });
  expect([recorded.error, noted.splice(0)]).toEqual([undefined, expected]);
  const text = recorded.assets['navigator-steps']?.toString() ?? '';
  for (const secret of Object.values((params['navigator_credential'] ?? {}) as Record<string, string>)) expect(text).not.toContain(secret);
  const given = Object.fromEntries(Object.entries(params).filter(([key]) => GIVEN.includes(key)));
  const result = await host
    .render({ url, output_type: 'html', timeout: 60, steps: JSON.parse(text) as unknown, ...given })
    .catch((error: unknown) => {
      throw new Error(`${String(error)}\n${text}`);
    });
  await result.bytes();
  await expect.poll(() => noted, { message: text }).toEqual(expected);
}

describe('the steps of a navigation lead to the same state without a model', () => {
  it.each(CASES)('$name', async (one) => {
    const { site, state } = await openCase(one);
    await using server = site;
    await replay({ turns: one.turns, url: server.url(one.start), params: one.params ?? {}, noted: state, expected: one.end });
  });

  it.each([...FLOWS, ...WIDGETS])('$name', async ({ pages, others, turns, params = {}, expected }) => {
    const noted: unknown[] = [];
    await using other = await openSite(others?.() ?? {});
    const elsewhere = (path: string) => other.url(path, 'localhost');
    await using site = await openSite(pages({ note: (value) => void noted.push(value), elsewhere }));
    await replay({ turns, url: site.url('/'), params, noted, expected });
  });
});
