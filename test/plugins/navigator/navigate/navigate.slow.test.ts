import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIALECTS, type Protocol } from '../../../helpers/model-dialects.js';
import { done } from '../../../helpers/navigator-script.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type NavigatorHost, openNavigatorHost } from './open-host.js';

// Objects of the dialects' own keys.
const PROTOCOLS = Object.keys(DIALECTS) as Protocol[];

let site: Site;
let host: NavigatorHost;
beforeAll(async () => {
  site = await openSite({
    '/': '<title>Shop</title><h1>Chairs</h1><a href="/chair">Chair</a><a href="https://elsewhere.example/x">Elsewhere</a>',
    '/chair': '<title>Chair</title><h1>A chair</h1><p>Price: 12</p><button onclick="this.textContent = `Bought`">Buy</button>',
  });
  host = openNavigatorHost();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe.each(PROTOCOLS)('by %s', (protocol) => {
  it('the default output is what the navigator says in the end', async () => {
    const { body, headers, shown, error } = await host.navigate(
      [
        ({ ref }) => [{ kind: 'click', ref: ref('link', 'Chair'), why: 'open it' }],
        ({ ref }) => [{ kind: 'click', ref: ref('button', 'Buy') }],
        ({ ref }) => (ref('button', 'Bought'), [done('It costs 12.')]),
      ],
      { url: site.url('/') },
      { protocol },
    );
    expect(error).toBeUndefined();
    expect(body).toBe('It costs 12.');
    expect(headers).toMatchObject({ 'X-Navigator-Steps': '3', 'X-LLM-Calls': '3', 'X-LLM-Tokens-In': '300' });
    expect(shown.map(({ images }) => images)).toEqual([1, 1, 1]);
    expect(shown[0]?.page).toContain('text "Elsewhere"');
    expect(shown[2]?.prompt).toMatch(/1\. click e\d+ \(link "Chair"\) -> ok, url http:.*\/chair\n2\. click e\d+ \(button "Buy"\) -> ok\n/);
  });
});
