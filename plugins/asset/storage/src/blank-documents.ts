import { parseOrigin } from './check-state.js';
import { InterceptStage, onceActive, untilAborted, type InterceptHub, type Page } from '@platen/kernel';

/** Empty documents at any origin, in the render's own page: nothing of them goes to the network. */
export interface BlankDocuments {
  /** False where the browser will not be at that origin, as where it insists on https. */
  open(origin: string): Promise<boolean>;
  /** Leaves an empty page without history, as a new one. */
  leave(): Promise<void>;
}

const HEADERS = [
  ['content-type', 'text/html; charset=utf-8'],
  ['cache-control', 'no-store'],
] as const;

/** With an icon: full Chromium asks the site for one else. */
const BODY = Buffer.from('<!doctype html><link rel="icon" href="data:,">');

/** There is nothing to load: a browser that takes longer will not come. */
const OPEN_MS = 10_000;

/** Until they are left, the page's own requests are answered here or fail. */
export function openBlankDocuments(page: Page, intercept: InterceptHub): BlankDocuments {
  let awaited: string | undefined;
  const stop = intercept.use({
    name: 'storage',
    // Before every filter: what never leaves the browser needs nobody's leave.
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
      // Chromium writes some hosts another way than Node: `%2A` for `*`.
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
