import { type Page, withTimeout } from '@platen/kernel';
import { waitForStablePage } from '@platen/lib-page-layout';

/** Resource types that a print style sheet may load. */
const STYLE_RESOURCES: readonly string[] = ['Image', 'Font', 'Stylesheet'];
/** Maximum wait for them in milliseconds. */
const RESOURCES_MS = 3_000;

interface PrintMediaOptions {
  readonly chosen: boolean;
  readonly reverts: (() => Promise<void>)[];
}

/**
 * Switches the page to the medium that it will be printed in, because resources of its print style sheets are loaded only then, and
 * printing does not wait for them. If the request chose the medium, it is active already. Adds what switches back.
 */
export async function openPrintMedia(page: Page, { chosen, reverts }: PrintMediaOptions): Promise<void> {
  if (chosen) {
    await waitForStablePage(page);
    return;
  }
  const resources = watchStyleResources(page);
  // The command sets all features together, so the page's color scheme is preserved.
  const scheme = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  reverts.push(() => setMedia(page, '', scheme));
  await setMedia(page, 'print', scheme);
  await waitForStablePage(page);
  await resources.loaded();
}

async function setMedia(page: Page, media: 'print' | '', scheme: 'dark' | 'light'): Promise<void> {
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  const [, ...frames] = page.frameTargets();
  await Promise.all([
    page.send('Emulation.setEmulatedMedia', { media, features }),
    // A frame may be gone meanwhile.
    ...frames.map((frame) => frame.send('Emulation.setEmulatedMedia', { media, features }).catch(() => undefined)),
  ]);
}

/** Tracks the page's requests from now on. */
function watchStyleResources(page: Page): { loaded(): Promise<void> } {
  const pending = new Set<string>();
  let emptied = (): void => undefined;
  const done = ({ requestId }: { readonly requestId: string }): void => {
    if (pending.delete(requestId) && pending.size === 0) emptied();
  };
  const stops = [
    page.on('Network.requestWillBeSent', ({ requestId, type = '' }) => {
      if (STYLE_RESOURCES.includes(type)) pending.add(requestId);
    }),
    page.on('Network.loadingFinished', done),
    page.on('Network.loadingFailed', done),
  ];
  return {
    async loaded() {
      try {
        if (pending.size === 0) return;
        const empty = new Promise<void>((resolve) => {
          emptied = resolve;
        });
        await withTimeout(empty, RESOURCES_MS);
      } finally {
        for (const stop of stops) stop();
      }
    },
  };
}
