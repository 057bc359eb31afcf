import type { Page } from '@platen/kernel';

export interface NavigationWatch {
  /** The URL of the document that the page has navigated to since, once it has loaded; undefined if there was no navigation. */
  settled(): Promise<string | undefined>;
  stop(): void;
}

/** A requested navigation that commits no document within this time is a download or has no effect. Milliseconds. */
const COMMIT_MS = 3000;

/** Follows navigations that the main frame starts: many pages reload after an answer. */
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
