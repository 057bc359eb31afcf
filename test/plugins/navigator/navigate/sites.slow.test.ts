import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';
import { FLOWS } from './sites/flows.js';
import { WIDGETS } from './sites/widgets.js';

let host: NavigatorHost;
beforeAll(() => {
  host = openNavigatorHost();
});
afterAll(() => host[Symbol.asyncDispose]());

describe('a navigator that sees only the snapshot reaches the goal', () => {
  it.each([...FLOWS, ...WIDGETS])('$name', async ({ pages, others, turns, params, expected }) => {
    const noted: unknown[] = [];
    await using other = await openSite(others?.() ?? {});
    // Another host is another site.
    const elsewhere = (path: string) => other.url(path, 'localhost');
    await using site = await openSite(pages({ note: (value) => void noted.push(value), elsewhere }));
    const { error, shown } = await host.navigate(turns, { url: site.url('/'), ...params });
    expect([error, noted], shown.at(-1)?.prompt).toEqual([undefined, expected]);
  });
});
