import { parseOrigin } from './check-state.js';
import { InterceptStage, onceActive, untilAborted, type InterceptHub, type Page } from '@platen/kernel';

/** Opens empty documents at any origin in the render's page without any network request. */
export interface BlankDocuments {
  /** False if the browser does not stay at that origin, for example because it enforces https. */
  open(origin: string): Promise<boolean>;
  /** Returns to an empty page without history, like a new one. */
  leave(): Promise<void>;
}

const HEADERS = [
  ['content-type', 'text/html; charset=utf-8'],
  ['cache-control', 'no-store'],
] as const;

/** With an icon, since full Chromium would request the site's icon otherwise. */
const BODY = Buffer.from('<!doctype html><link rel="icon" href="data:,">');

/** There is nothing to load, so a browser that takes longer has failed. */
const OPEN_MS = 10_000;

/** Until `leave` is called, the page's own requests are fulfilled here or fail. */
export function openBlankDocuments(page: Page, intercept: InterceptHub): BlankDocuments {
  let awaited: string | undefined;
  const stop = intercept.use({
    name: 'storage',
    // Before all request filters: these requests never leave the browser.
    stage: InterceptStage.scope,
    request({ url, resourceType, target }) {
      if (!target.primary) return undefined;
      if (resourceType !== 'Document' || url.href !== awaited) return { fail: 'BlockedByClient' };
      return { fulfill: { status: 200, headers: HEADERS, body: BODY } };
    },
  });
  return {
    async open(origin) {
      awaited = new URL(origin).href;
      try {
        await untilAborted(page.goto(awaited), AbortSignal.timeout(OPEN_MS));
      } catch {
        return false;
      } finally {
        awaited = undefined;
      }
      // Chromium encodes some hosts differently than Node: `%2A` for `*`.
      return parseOrigin(await page.evaluate(() => globalThis.origin)) === parseOrigin(origin);
    },
    async leave() {
      stop();
      await page.goto('about:blank');
      await page.lifecycle.reached('load');
      await onceActive(() => page.send('Page.resetNavigationHistory'));
    },
  };
}
