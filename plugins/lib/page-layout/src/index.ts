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
