import { nextFrame } from '@platen/lib-page-functions';

/** Arguments passed into the page, as JSON. */
export interface ScrollRequest {
  readonly scrollMs: number;
  readonly imagesMs: number;
}

export async function scrollThrough({ scrollMs, imagesMs }: ScrollRequest): Promise<void> {
  const ending = performance.now() + scrollMs;
  const { writingMode } = getComputedStyle(document.body instanceof HTMLBodyElement ? document.body : document.documentElement);
  const sideways = !writingMode.startsWith('horizontal');
  const step = sideways ? innerWidth : innerHeight;
  const { scrollingElement: root } = document;
  const end = () => (sideways ? (root?.scrollWidth ?? 0) : (root?.scrollHeight ?? 0)) - step;
  for (let at = 0; performance.now() < ending; at += step) {
    const left = writingMode.endsWith('-rl') ? -at : at;
    scrollTo({ ...(sideways ? { left, top: scrollY } : { left: scrollX, top: at }), behavior: 'instant' });
    // Content that a step scrolls into view is notified in the first frame and requested before the second.
    await nextFrame();
    await nextFrame();
    if (at >= end()) break;
  }
  const lazy = Array.from(document.querySelectorAll<HTMLIFrameElement>('iframe[loading=lazy][src]'));
  const coming = [
    ...Array.from(document.images).filter((image) => !image.complete && image.getClientRects().length > 0),
    ...lazy.filter(({ contentDocument, src }) => contentDocument?.URL === 'about:blank' && !src.startsWith('about:')),
  ];
  const loaded = coming.map(
    (element) =>
      new Promise<void>((resolve) => {
        for (const event of ['load', 'error']) {
          element.addEventListener(
            event,
            () => {
              resolve();
            },
            { once: true },
          );
        }
      }),
  );
  await Promise.race([Promise.all(loaded), new Promise((resolve) => setTimeout(resolve, imagesMs))]);
  scrollTo({ left: 0, top: 0, behavior: 'instant' });
}
