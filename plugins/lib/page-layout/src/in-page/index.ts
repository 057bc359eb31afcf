export {
  adoptRules,
  collectBackgroundRules,
  collectExpandRules,
  collectPinRules,
  collectUnrollRules,
  collectVisibilityRules,
  recordPositions,
  removeRules,
} from './style-rules.js';
export { centerElement, movePage, scrollBack, scrollBoxesBack } from './scroll.js';
export { scrollThrough } from './scroll-through.js';
export { waitUntilFitted } from './fit-viewport.js';
export { findElement, isOutside, lackInBoxes, rectOf, seenInBoxes, waitUntilVisible } from './find-element.js';
export { measureDocument, weighContent } from './measure-document.js';
export { findDueAnimations, waitForDueAnimations, waitForPaint, waitUntilStill } from './wait-for-stable.js';
