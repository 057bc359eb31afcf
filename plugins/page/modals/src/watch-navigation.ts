import type { Page } from '@platen/kernel';

export interface NavigationWatch {
  /** The address of the document that the page has gone to since, and which has loaded then; undefined where there is none. */
  settled(): Promise<string | undefined>;
  stop(): void;
}

/** A navigation that was asked for and has no document within this has none at all: a download, or nothing new. Milliseconds. */
const COMMIT_MS = 3000;

/** Follows what the main frame does of itself: many a page loads itself anew once it was answered. */
export function watchNavigation(page: Page): NavigationWatch {
  let begun = false;
  let committed: string | undefined;
  let wake = (): void => undefined;
  const begin = ({ frameId }: { readonly frameId: string }): void => {
    if (frameId === page.mainFrameId) begun = true;
  };
  const stops = [
    page.on('Page.frameRequestedNavigation', begin),
    page.on('Page.frameScheduledNavigation', begin),
    page.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId !== page.mainFrameId) return;
      begun = false;
      wake();
    }),
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== page.mainFrameId) return;
      committed = frame.url;
      wake();
    }),
  ];
  return {
    async settled() {
      if (begun && committed === undefined) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, COMMIT_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (committed !== undefined) await page.lifecycle.reached('load');
      return committed;
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
