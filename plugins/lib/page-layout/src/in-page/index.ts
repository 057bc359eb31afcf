export { adoptRules, removeRules } from './adopt-rules.js';
export { scrollThrough } from './auto-scroll.js';
export { collectBackgroundRules, collectExpandRules, collectVisibilityRules } from './collect-rules.js';
export { findElement, isOutside, lackInBoxes, rectOf } from './find-element.js';
export { collectPinRules, recordPositions } from './fixed-elements.js';
export { measureDocument, weighContent } from './measure-document.js';
export { centerElement, movePage, scrollBack, scrollBoxesBack } from './scroll-to-element.js';
export { findDueAnimations, waitForDueAnimations } from './settle-animations.js';
export { waitForPaint, waitUntilStill } from './wait-for-stable.js';
