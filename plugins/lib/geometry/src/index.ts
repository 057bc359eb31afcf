export { ceilPixels, fitSize, type AskedSize, type Size } from './fit-size.js';
export { leaveBoxes, leaveElement, measureElement, straysFromView, type ElementRequest } from './locate-element.js';
export { measureDocument, type Extent } from './measure-document.js';
export { growForContent, MAX_PIXELS, openDocument, viewHeight } from './open-document.js';
export { keepAnchored, noteAnchored, paintDeferred, releaseAnchored, showDeferred } from './restyle-page.js';
export { settleAnimations } from './settle-animations.js';
export { settlePage, type SettleOptions, type View } from './settle-page.js';
export { refusalOfBoxed, showWhole, type Shown } from './show-whole.js';
export { showDeferredInFrames } from './show-deferred-in-frames.js';
