import { describe, expect, test } from 'vitest';
import type { Lease } from '../../../../kernel/src/browser/pool/lease.js';
import type { BrowserVariant } from '../../../../kernel/src/browser/process/contract.js';
import type { DeviceProfile } from '../../../../kernel/src/browser/emulation/contract.js';
import { InterceptStage } from '../../../../kernel/src/browser/protocol/contract.js';
import { DOCUMENTS, type Gate, openGate, PATHS, WORKERS } from '../gate.js';
import { openPool } from '../open-pool.js';

const PIXEL = {
  width: 390,
  height: 844,
  deviceScaleFactor: 3,
  mobile: true,
  touchPoints: 5,
  userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.1.2 Mobile Safari/537.36',
  platform: 'Linux armv81',
  hintsPlatform: undefined,
  hintsMobile: undefined,
  acceptLanguage: 'fr-CH,fr',
  languageHeader: undefined,
} as const satisfies DeviceProfile;

const SAFARI = {
  width: 1920,
  height: 1080,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  platform: 'iPhone',
} as const satisfies Partial<DeviceProfile>;

const nameOf = ({ userAgent, platform }: { readonly userAgent: string; readonly platform: string }) => ({
  userAgent,
  appVersion: userAgent.replace('Mozilla/', ''),
  platform,
});

/** What a request's headers say of the browser; client hints go with some requests only, and are the right ones then. */
const headersIn = (gate: Gate, name: string) => [...new Set([...gate.requests.values()].map((headers) => headers[name]))];
const urlsWith = (gate: Gate, wrong: (header: (name: string) => unknown) => boolean) =>
  [...gate.requests].filter(([, headers]) => wrong((name) => headers[name])).map(([url]) => url);

function intercepting(lease: Lease): readonly string[] {
  const seen: string[] = [];
  lease.tab.intercept.use({
    name: 'test',
    stage: InterceptStage.filter,
    request({ url }) {
      seen.push(url.pathname + url.search);
      return undefined;
    },
  });
  return seen;
}

describe.each<BrowserVariant>(['shell', 'full'])('every target of a render (%s)', (variant) => {
  test.each(['without', 'with'])(
    'is configured before its first statement and its first request, %s interception',
    async (interception) => {
      await using gate = await openGate();
      await using pool = openPool();
      await using lease = await pool.lease({ variant, profile: PIXEL });
      const intercepted = interception === 'with' ? intercepting(lease) : undefined;
      await gate.visit(lease.tab);

      for (const who of [...DOCUMENTS, ...WORKERS]) {
        expect(gate.reports.get(who), who).toMatchObject({
          ...nameOf(PIXEL),
          language: 'fr-CH',
          languages: 'fr-CH,fr',
          brands: 'Chromium 145,Google Chrome 145,Not:A-Brand 99',
          mobile: true,
          system: 'Android',
        });
      }
      // A blob of no origin is no secure context: there are no client hints in it.
      expect(gate.reports.get('sandboxed-worker')).toMatchObject({ ...nameOf(PIXEL), languages: 'fr-CH,fr', brands: null });
      for (const who of DOCUMENTS) expect(gate.reports.get(who)?.['screen'], who).toEqual([390, 844, 390, 844, 3, 'portrait-primary']);
      expect([...gate.requests.keys()]).toEqual(expect.arrayContaining(PATHS));
      expect(urlsWith(gate, (header) => header('user-agent') !== PIXEL.userAgent)).toEqual([]);
      expect(urlsWith(gate, (header) => header('accept-language') !== 'fr-CH,fr;q=0.9')).toEqual([]);
      expect(headersIn(gate, 'sec-ch-ua').sort()).toEqual(['"Not:A-Brand";v="99", "Google Chrome";v="145", "Chromium";v="145"', undefined]);
      expect(headersIn(gate, 'sec-ch-ua-mobile').sort()).toEqual(['?1', undefined]);
      expect(headersIn(gate, 'sec-ch-ua-platform').sort()).toEqual(['"Android"', undefined]);
      if (intercepted) {
        for (const who of [...DOCUMENTS, ...WORKERS]) expect(intercepted).toContain(`/report?who=${who}`);
        // Only a nested worker's script is beyond the reach of interception.
        for (const path of PATHS.filter((found) => found !== '/nested.js')) expect(intercepted).toContain(path);
      }
      // The page can be drawn although popups stand in front of it.
      expect((await lease.tab.page.screenshot({ format: 'png' })).readUInt32BE(16)).toBe(PIXEL.width * PIXEL.deviceScaleFactor);
      expect(
        lease.tab.page.targets.all
          .map(({ kind }) => kind)
          .sort()
          .join(),
      ).toBe('iframe,page,page,page,page,service_worker,shared_worker,worker,worker,worker,worker,worklet');
    },
  );

  test('is an ordinary browser where nothing is asked for: one identity, one screen, no word of being headless', async () => {
    await using gate = await openGate();
    await using pool = openPool();
    await using lease = await pool.lease({ variant });
    await gate.visit(lease.tab);

    expect(JSON.stringify([[...gate.requests], [...gate.reports]])).not.toMatch(/headless/i);
    expect(headersIn(gate, 'user-agent')).toHaveLength(1);
    expect(headersIn(gate, 'accept-language')).toEqual(['en-US,en;q=0.9']);
    expect(headersIn(gate, 'sec-ch-ua').filter((value) => value !== undefined)).toHaveLength(1);
    for (const key of ['userAgent', 'appVersion', 'platform', 'languages', 'brands', 'mobile', 'system'])
      expect(new Set([...DOCUMENTS, ...WORKERS].map((who) => gate.reports.get(who)?.[key])).size, key).toBe(1);
    for (const who of DOCUMENTS) expect(gate.reports.get(who)?.['screen'], who).toEqual([1280, 720, 1280, 720, 1, 'landscape-primary']);
    for (const who of ['popup', 'popup-noopener', 'popup-cross']) expect(gate.reports.get(who)?.['outer'], who).toHaveProperty('0', 1280);
  });

  test('has no client hints where its user agent is that of a browser without them', async () => {
    await using gate = await openGate();
    await using pool = openPool();
    await using lease = await pool.lease({ variant, profile: SAFARI });
    await gate.visit(lease.tab);

    for (const who of [...DOCUMENTS, ...WORKERS])
      expect(gate.reports.get(who), who).toMatchObject({ ...nameOf(SAFARI), brands: null, hints: [false, false] });
    expect([...gate.requests].filter(([, headers]) => Object.keys(headers).some((name) => name.startsWith('sec-ch-')))).toEqual([]);
    expect(urlsWith(gate, (header) => header('user-agent') !== SAFARI.userAgent)).toEqual([]);
    for (const who of DOCUMENTS) expect(gate.reports.get(who)?.['screen'], who).toEqual([1920, 1080, 1920, 1080, 1, 'landscape-primary']);
    for (const who of ['popup', 'popup-noopener', 'popup-cross']) expect(gate.reports.get(who)?.['outer'], who).toEqual([1920, 1080]);
  });

  test.each(['without', 'with'])('sends a language header of its own as it is, %s interception', async (interception) => {
    await using gate = await openGate();
    await using pool = openPool();
    await using lease = await pool.lease({ variant, profile: { acceptLanguage: 'de,fr', languageHeader: 'fr;q=0.3,de,*;q=0.1' } });
    if (interception === 'with') intercepting(lease);
    await gate.visit(lease.tab);

    expect(urlsWith(gate, (header) => header('accept-language') !== 'fr;q=0.3,de,*;q=0.1')).toEqual([]);
    for (const who of [...DOCUMENTS, ...WORKERS]) expect(gate.reports.get(who), who).toMatchObject({ language: 'de', languages: 'de,fr' });
  });
});
