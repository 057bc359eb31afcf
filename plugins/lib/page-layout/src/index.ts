/**
 * Measures and changes positions of elements, and computes sizes of images, for the capture kinds that show a page.
 *
 * `waitForStablePage` waits until everything in view can be painted. `showWhole` brings an element into view, enlarging the viewport where
 * necessary; `restoreScroll` scrolls back. `measureFirst`, `growForContent` and `openDocument` are the two loads of a full page. Style
 * sheets of these functions are not noticed by the page's observers. All waiting for animations of a page is 2 seconds in total.
 *
 * @packageDocumentation
 */

export { type AskedSize, ceilPixels, clippedElementError, fitSize, type Shown, showWhole, type Size } from './show-whole.js';
export { assertVisible, leaveBoxes, restoreScroll, measureElement, isOutOfViewport, type ElementRequest } from './locate-element.js';
export type { Extent } from './in-page/measure-document.js';
export { growForContent, isInViewport, MAX_PIXELS, measureFirst, openDocument } from './open-document.js';
export { REPORT_OBSERVERS } from './auto-scroll.js';
export {
  awaitDrawn,
  awaitDrawnFrame,
  forceContentVisibility,
  forceContentVisibilityInFrames,
  pinFixedElements,
  prepareBeyondViewport,
  recordFixedElements,
  type ShownDeferred,
  unpinFixedElements,
  unrollBoxes,
} from './restyle-page.js';
export { settleAnimations, type SettleOptions, waitForStablePage } from './wait-for-stable-page.js';
export { waitForStableElement } from './wait-for-stable-element.js';
export { seenInBoxes } from './in-page/index.js';
export type { View } from './in-page/wait-for-stable.js';
