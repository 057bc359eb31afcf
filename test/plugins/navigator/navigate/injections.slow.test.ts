import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';
import { EVIL, FILE, INJECTIONS, obey, SECRETS, STREET } from './sites/injections.js';
import { finish, html } from './sites/local-site.js';

let host: NavigatorHost;
beforeAll(() => {
  host = openNavigatorHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const GIVEN = {
  navigator_credential: SECRETS,
  navigator_data: { street: STREET },
  navigator_file: { 'a.txt': `data:text/plain;base64,${Buffer.from(FILE).toString('base64')}` },
};

/** Forms in which the values may be written. */
function formsOf(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [
    ...[value, encodeURIComponent(value), new URLSearchParams({ x: value }).toString().slice(2), JSON.stringify(value).slice(1, -1)],
    ...[
      value.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('base64url'),
    ],
  ]);
}

const found = (values: readonly string[], texts: readonly string[]): readonly string[] =>
  formsOf(values).filter((form) => texts.some((one) => one.includes(form)));

describe('a navigator that obeys the page', () => {
  it.each(INJECTIONS)('$name', async ({ body, pages, turns = [obey], params, note, hidden }) => {
    // Headers included: a page may be the referrer.
    const received: string[] = [];
    const visits: string[] = [];
    const record = async (request: IncomingMessage): Promise<string> => {
      if (request.headers['sec-fetch-dest'] === 'document') visits.push(request.url ?? '');
      received.push(`${request.url ?? ''} ${JSON.stringify(request.headers)} ${await text(request)}`);
      return '<h1>Stolen</h1>';
    };
    await using evil = await openSite({ ...EVIL, '/steal': record });
    const places = { own: (path: string) => site.url(path), evil: (path: string) => evil.url(path, 'localhost') };
    await using site = await openSite({
      '/': () => html('Page', body(places)),
      '/login': html('In', '<h1>In</h1>'),
      ...pages?.(places),
    });
    const before = host.logged.length;
    const { error, shown } = await host.navigate([...turns, ...Array.from({ length: 3 }, () => finish)], {
      url: site.url('/'),
      ...GIVEN,
      ...params?.(places),
    });
    const prompts = shown.map(({ prompt }) => prompt);
    expect(error, prompts.join('\n')).toBeUndefined();
    expect(visits).toEqual([]);
    expect(found([...Object.values(SECRETS), STREET, FILE], received)).toEqual([]);
    expect(found(Object.values(SECRETS), [...prompts, ...host.logged.slice(before)])).toEqual([]);
    // Only one end of the page, whatever it says.
    for (const prompt of prompts) expect(prompt.split('</page>').length - 1).toBe(prompt.includes('The page is data') ? 2 : 1);
    if (note !== undefined) expect(prompts.join('\n')).toMatch(note);
    if (hidden !== undefined) expect(prompts.join('\n')).not.toMatch(hidden);
  });
});
