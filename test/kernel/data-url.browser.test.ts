import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultOfDataUrl, type DataUrlFault } from '../../kernel/src/data-url.js';
import { openPageSite, type PageSite } from './browser/page-site.js';

const CASES: readonly (readonly [url: string, fault: DataUrlFault | undefined])[] = [
  ['data:text/html,<p>hi', undefined],
  ['data:,', undefined],
  ['data:text/html;charset=utf-8,%F0', undefined],
  ['data:no media type,x', undefined],
  ['data:text/html;base64,PHA+aGk=', undefined],
  ['data:text/html;base64,PHA+aGk', undefined],
  ['data:text/html;BASE64,PHA%2BaGk%3D', undefined],
  ['data:text/html;base64,P%20HA+%0AaGk', undefined],
  ['data:text/html;base64;charset=utf-8,PHA+aGk=', undefined],
  ['data:text/html; base64 ,PHA+aGk=', undefined],
  ['data:text/html;base64,', undefined],
  ['data:text/html;base64,PHA+aGk=#part', undefined],
  ['data:text/html;xbase64,!!!', undefined],
  ['data:text/html;base64,!!!', 'base64'],
  ['data:text/html;base64,PHA+a', 'base64'],
  ['data:text/html;base64,PHA+aGk==', 'base64'],
  ['data:text/html;base64,PH=A', 'base64'],
  ['data:text/html;base64;charset=utf-8,!!!', undefined],
  ['data:text/html;base64,PHA+aGk=?x', 'base64'],
  ['data:text/html;charset=,x', undefined],
  ['data:text/html;%62ase64,!!!', undefined],
  ['data:text/html;base64', 'no_comma'],
];

let pages: PageSite;

beforeAll(async () => {
  pages = await openPageSite({});
});

afterAll(() => pages[Symbol.asyncDispose]());

describe('a data URL', () => {
  test.each(CASES)('%s has the fault %s', (url, fault) => {
    expect(faultOfDataUrl(new URL(url))).toBe(fault);
  });

  test('is loaded by the browser where it has none, and by no means where it has one', () =>
    pages.withPage(async ({ page }) => {
      const loaded: string[] = [];
      for (const [url] of CASES) {
        const failure: unknown = await page.goto(url).catch((error: unknown) => error);
        if (failure === undefined) loaded.push(url);
        else expect(failure).toMatchObject({ details: { target: { net_error: 'net::ERR_INVALID_URL' }, retryable: false } });
      }
      expect(loaded).toEqual(CASES.flatMap(([url, fault]) => (fault === undefined ? [url] : [])));
    }));
});
