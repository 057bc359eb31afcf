import { describe, expect, test } from 'vitest';
import { browserUserAgent, clientHints, platformOf } from '../../../../kernel/src/browser/emulation/client-hints.js';
import { hintHeaders, identityOf, languageHeader } from '../../../../kernel/src/browser/emulation/user-agent-profile.js';
import { DEFAULT_PROFILE } from '../../../../kernel/src/browser/emulation/device-profile.js';

const hints = (userAgent: string, mobile = false) => clientHints({ userAgent, ownVersion: undefined, mobile });
const brandsOf = (userAgent: string) => hints(userAgent)?.brands?.map(({ brand, version }) => `${brand} ${version}`);

const PIXEL =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.1.2 Mobile Safari/537.36';
const TABLET = 'Mozilla/5.0 (Linux; Android 13; SM-X906C) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('client hints', () => {
  test('agree with the user agent', () => {
    expect(hints(PIXEL, true)).toMatchObject({
      platform: 'Android',
      platformVersion: '14.0.0',
      model: 'Pixel 8',
      mobile: true,
      fullVersion: '145.0.1.2',
      architecture: '',
      bitness: '',
    });
    expect(hints(WINDOWS)).toMatchObject({
      platform: 'Windows',
      platformVersion: '10.0.0',
      model: '',
      mobile: false,
      fullVersion: '145.0.0.0',
      architecture: 'x86',
      bitness: '64',
    });
    expect(hints(MAC)).toMatchObject({ platform: 'macOS', platformVersion: '10.15.7' });
  });

  test.each([
    ['Win32', false, 'Windows'],
    ['MacIntel', false, 'macOS'],
    ['Linux x86_64', false, 'Linux'],
    ['Linux armv8l', true, 'Android'],
    ['Linux armv8l', false, 'Linux'],
    ['Amiga', false, 'Linux'],
    ['iPhone', true, undefined],
  ])('of the running browser follow the platform %s (mobile: %s)', (platform, mobile, system) => {
    const own = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36', version: '156.0.8078.79' };
    expect(identityOf({ ...DEFAULT_PROFILE, platform, mobile }, own)).toMatchObject({ platform });
    expect(identityOf({ ...DEFAULT_PROFILE, platform, mobile }, own).hints?.platform).toBe(system);
  });

  test.each([
    ['a phone', PIXEL, true, undefined, true, 'Mobile'],
    ['a tablet', TABLET, true, undefined, false, 'Tablet'],
    ['a tablet that is not emulated', TABLET, false, undefined, false, 'Tablet'],
    ['a tablet that is said to be mobile', TABLET, false, true, true, 'Mobile'],
    ['a desktop', WINDOWS, false, undefined, false, 'Desktop'],
  ] as const)('of %s name its form', (_what, userAgent, mobile, hintsMobile, says, form) => {
    const own = { userAgent: '', version: '156.0.8078.79' };
    expect(identityOf({ ...DEFAULT_PROFILE, userAgent, mobile, hintsMobile }, own).hints).toMatchObject({
      mobile: says,
      formFactors: [form],
    });
  });

  test('agree with a user agent whatever the platform is said to be', () => {
    const own = { userAgent: '', version: '156.0.8078.79' };
    expect(identityOf({ ...DEFAULT_PROFILE, platform: 'Win32', userAgent: MAC }, own)).toMatchObject({
      platform: 'Win32',
      hints: { platform: 'macOS' },
    });
    expect(identityOf({ ...DEFAULT_PROFILE, userAgent: MAC }, own).platform).toBe('MacIntel');
    // A preset's user agent yields to a platform of the request's own.
    expect(identityOf({ ...DEFAULT_PROFILE, platform: 'Win32', hintsPlatform: 'Win32', userAgent: MAC }, own)).toMatchObject({
      platform: 'Win32',
      hints: { platform: 'Windows' },
    });
  });

  test('name the brands in the order of that version, as Chromium mixes them', () => {
    expect(brandsOf(WINDOWS)).toEqual(['Not:A-Brand 99', 'Google Chrome 145', 'Chromium 145']);
    expect(brandsOf(`${WINDOWS} Edg/145.0.3800.1`)).toContain('Microsoft Edge 145');
    expect(brandsOf(`${WINDOWS} OPR/120.0.0.0`)).toContain('Opera 120');
  });

  test('are omitted for browsers that have none', () => {
    expect(hints(SAFARI, true)).toBeUndefined();
    expect(hints(FIREFOX)).toBeUndefined();
  });

  test('of the running browser carry its full version and no word of being headless', () => {
    const own = clientHints({ userAgent: browserUserAgent('156.0.8078.79'), ownVersion: '156.0.8078.79', mobile: false });
    expect(own?.brands).toEqual([
      { brand: 'Not:A-Brand', version: '8' },
      { brand: 'Chromium', version: '156' },
    ]);
    expect(own?.fullVersionList).toContainEqual({ brand: 'Chromium', version: '156.0.8078.79' });
    expect(browserUserAgent('156.0.8078.79')).toContain('Chrome/156.0.0.0 ');
  });
});

test('client hints are sent as structured fields (RFC 8941)', () => {
  const own = clientHints({ userAgent: PIXEL, ownVersion: undefined, mobile: true });
  if (!own) throw new Error('a Chrome has client hints');
  expect(Object.fromEntries(hintHeaders({ ...own, brands: [{ brand: 'A "quoted\\" B', version: '1' }] }))).toMatchObject({
    'sec-ch-ua': '"A \\"quoted\\\\\\" B";v="1"',
    'sec-ch-ua-mobile': '?1',
    'sec-ch-ua-wow64': '?0',
    'sec-ch-ua-platform': '"Android"',
    'sec-ch-ua-platform-version': '"14.0.0"',
    'sec-ch-ua-model': '"Pixel 8"',
    'sec-ch-ua-arch': '""',
    'sec-ch-ua-form-factors': '"Mobile"',
    'sec-ch-ua-full-version-list': expect.stringContaining('"Google Chrome";v="145.0.1.2"'),
  });
});

test.each([
  [PIXEL, 'Linux armv81'],
  [WINDOWS, 'Win32'],
  [MAC, 'MacIntel'],
  [SAFARI, 'iPhone'],
  [FIREFOX, 'Linux x86_64'],
  ['curl/8', undefined],
])('navigator.platform of %s', (userAgent, platform) => {
  expect(platformOf(userAgent)).toBe(platform);
});

test('a list of languages becomes a header with falling weights', () => {
  expect(languageHeader('fr-CH,fr')).toBe('fr-CH,fr;q=0.9');
  expect(languageHeader('de')).toBe('de');
});
