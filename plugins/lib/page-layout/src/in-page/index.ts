export { adoptRules, collectBackgroundRules, collectExpandRules, collectVisibilityRules, removeRules } from './style-rules.js';
export { centerElement, movePage, scrollBack, scrollBoxesBack, scrollThrough } from './scroll.js';
export { findElement, isOutside, lackInBoxes, rectOf } from './find-element.js';
export { collectPinRules, recordPositions } from './fixed-elements.js';
export { measureDocument, weighContent } from './measure-document.js';
export { findDueAnimations, waitForDueAnimations } from './settle-animations.js';
export { waitForPaint, waitUntilStill } from './wait-for-stable.js';
