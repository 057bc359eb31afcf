import type { Page } from '@platen/kernel';
import { type ParsedCookie, refuse } from './parse-cookie.js';

/** Puts the cookies into the render's own browser context. Throws a 400 for one that the browser will not have. */
export async function setCookies(page: Page, cookies: readonly ParsedCookie[]): Promise<void> {
  if (cookies.length === 0) return;
  try {
    await page.send('Network.setCookies', { cookies: cookies.map(({ cookie }) => cookie) });
  } catch {
    // The browser refuses the list as a whole; which of them it was shows one at a time.
    for (const { cookie, index } of cookies) {
      await page.send('Network.setCookie', cookie).catch(() => refuse(index, 'is not one that the browser accepts'));
    }
  }
}
