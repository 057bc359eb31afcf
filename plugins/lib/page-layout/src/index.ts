export { type AskedSize, ceilPixels, clippedElementError, fitSize, type Shown, showWhole, type Size } from './show-whole.js';
export { leaveBoxes, restoreScroll, measureElement, isOutOfViewport, type ElementRequest } from './locate-element.js';
export type { Extent } from './in-page/measure-document.js';
export { growForContent, isInViewport, MAX_PIXELS, measureFirst, openDocument } from './open-document.js';
export {
  pinFixedElements,
  prepareBeyondViewport,
  recordFixedElements,
  unpinFixedElements,
  forceContentVisibility,
  type ShownDeferred,
} from './restyle-page.js';
export { settleAnimations } from './settle-animations.js';
export { waitForStableElement } from './wait-for-stable-element.js';
export { waitForStablePage, type SettleOptions } from './wait-for-stable-page.js';
export type { View } from './in-page/wait-for-stable.js';
export { awaitDrawn, awaitDrawnFrame, forceContentVisibilityInFrames } from './force-content-visibility-in-frames.js';
