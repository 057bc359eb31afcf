import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserVariant } from '../../../../kernel/src/browser/process/contract.js';
import type { DeviceProfile } from '../../../../kernel/src/browser/emulation/contract.js';
import type { Site } from '../../../helpers/site.js';
import { openPageSite, type PageSite } from '../page-site.js';

/** What a document finds at its first statement, and once it has loaded. */
const LOOK = `const media = (feature, values) => values.filter((value) => matchMedia('(' + feature + ': ' + value + ')').matches).join('+');
const look = () => [screen.width, screen.height, outerWidth, outerHeight, screen.orientation.type, screen.orientation.angle,
  ...['pointer', 'any-pointer'].map((feature) => media(feature, ['none', 'coarse', 'fine'])),
  ...['hover', 'any-hover'].map((feature) => media(feature, ['none', 'hover']))].join(' ');
const early = look();
addEventListener('load', () => { found([early, look()]) });`;

let pages: PageSite;
let site: Site;

beforeAll(async () => {
  pages = await openPageSite({
    '/': () => `<!doctype html><body><script>
      const all = {};
      let tell;
      const when = (who) => new Promise((resolve) => { tell = () => { if (who.every((each) => each in all)) resolve(all) }; tell() });
      const put = (who, looks) => { all[who] = looks; tell?.() };
      addEventListener('message', ({ data }) => put(data.who, data.looks));
      const found = (looks) => put('page', looks);
      ${LOOK}
    </script><iframe src="/inner?frame"></iframe><iframe src="${site.url('/inner?cross', 'localhost')}"></iframe>`,
    '/inner': `<!doctype html><script>
      const found = (looks) => { (opener ?? parent).postMessage({ who: location.search.slice(1), looks }, '*') };
      ${LOOK}
    </script>`,
  });
  ({ site } = pages);
});

afterAll(() => pages[Symbol.asyncDispose]());

const DEVICES: readonly (readonly [name: string, profile: Partial<DeviceProfile>, look: string])[] = [
  ['a desktop', {}, '1280 720 1280 720 landscape-primary 0 fine fine hover hover'],
  ['a wide desktop', { width: 1920, height: 1080 }, '1920 1080 1920 1080 landscape-primary 0 fine fine hover hover'],
  ['an upright desktop', { width: 500, height: 900 }, '500 900 500 900 portrait-primary 0 fine fine hover hover'],
  ['a square desktop', { width: 600, height: 600 }, '600 600 600 600 landscape-primary 0 fine fine hover hover'],
  [
    'a phone',
    { width: 390, height: 844, mobile: true, touchPoints: 5, deviceScaleFactor: 3 },
    '390 844 390 844 portrait-primary 0 coarse coarse none none',
  ],
  [
    'a phone on its side',
    { width: 844, height: 390, mobile: true, touchPoints: 5 },
    '844 390 844 390 landscape-primary 90 coarse coarse none none',
  ],
];

describe.each<BrowserVariant>(['shell', 'full'])(
  'screen, window, orientation and pointer agree, from the first statement on (%s)',
  (variant) => {
    test.each(DEVICES)('on %s, in page, frames and popup', (_name, profile, look) =>
      pages.withPage(
        async ({ page }) => {
          await page.goto(site.url('/'));
          // A popup in front of them may keep documents from their turn.
          await page.lifecycle.reached('DOMContentLoaded');
          await page.evaluateInMainWorld(`when(['page', 'frame', 'cross'])`);
          // Without a gesture full Chromium opens no popup.
          await page.send('Runtime.evaluate', { expression: "void (window.kept = open('/inner?popup'))", userGesture: true });
          const both = [look, look];
          expect(await page.evaluateInMainWorld(`when(['popup'])`)).toEqual({ page: both, frame: both, cross: both, popup: both });
        },
        { variant, profile },
      ),
    );
  },
);

test('a device is not turned where more of its page is shown', () =>
  pages.withPage(async ({ page }) => {
    await page.goto(site.url('/'));
    await page.setProfile({ height: 3000 });
    expect(await page.evaluate(() => screen.orientation.type)).toBe('landscape-primary');
    await page.reload();
    expect(await page.evaluate(() => screen.orientation.type)).toBe('landscape-primary');
    await page.setProfile({ width: 500 });
    expect(await page.evaluate(() => screen.orientation.type)).toBe('portrait-primary');
  }));
