import type { Page } from '@platen/kernel';

/** Grants every page of the render's browser context geolocation access without a prompt. */
export async function allowGeolocation(page: Page): Promise<void> {
  const { targetInfo } = await page.send('Target.getTargetInfo');
  await page.send('Browser.setPermission', {
    permission: { name: 'geolocation' },
    setting: 'granted',
    ...(targetInfo.browserContextId === undefined ? {} : { browserContextId: targetInfo.browserContextId }),
  });
}
