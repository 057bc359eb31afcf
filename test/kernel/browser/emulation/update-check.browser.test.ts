import { expect, test } from 'vitest';
import type { BrowserVariant } from '../../../../kernel/src/browser/process/contract.js';
import type { DeviceProfile } from '../../../../kernel/src/browser/emulation/contract.js';
import { openSite } from '../../../helpers/site.js';
import { openPool } from '../open-pool.js';

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript', 'cache-control': 'no-store' }, body });

/** What the site was sent for the worker's scripts: the first load and the look for an update. */
async function scriptsAsked(variant: BrowserVariant, profile: Partial<DeviceProfile>) {
  await using site = await openSite({
    '/': `<!doctype html><script>
      updated = navigator.serviceWorker.register('/service.js', { updateViaCache: 'none' })
        .then(() => navigator.serviceWorker.ready).then((registration) => registration.update()).then(() => true);
    </script>`,
    '/service.js': script(`importScripts('/imported.js')`),
    '/imported.js': script(''),
  });
  await using pool = openPool();
  await using lease = await pool.lease({ variant, profile });
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  expect(await lease.tab.page.evaluateInMainWorld('updated')).toBe(true);
  const asked = site.requests.filter(({ url }) => url.endsWith('.js'));
  expect(asked.map(({ url }) => url).sort()).toEqual(['/imported.js', '/imported.js', '/service.js', '/service.js']);
  return asked.map(({ headers }) => ({ userAgent: headers['user-agent'], languages: headers['accept-language'] }));
}

test.each<BrowserVariant>(['shell', 'full'])(
  'the look for an update of a service worker over plain http has the identity of the profile (%s)',
  async (variant) => {
    const asked = await scriptsAsked(variant, { userAgent: 'Mozilla/5.0 (Elsewhere) Browser/1', acceptLanguage: 'fr-CH,fr' });
    for (const headers of asked) expect(headers).toEqual({ userAgent: 'Mozilla/5.0 (Elsewhere) Browser/1', languages: 'fr-CH,fr;q=0.9' });
  },
);

test('the look for an update of a service worker over plain http has the languages of a profile with the own user agent', async () => {
  const asked = await scriptsAsked('shell', { acceptLanguage: 'fr-CH,fr' });
  expect(new Set(asked.map(({ userAgent }) => userAgent)).size).toBe(1);
  expect(asked.map(({ languages }) => languages)).toEqual(Array.from({ length: 4 }, () => 'fr-CH,fr;q=0.9'));
});
