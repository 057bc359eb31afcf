export { ceilPixels, fitSize, type AskedSize, type Size } from './fit-size.js';
export { locateElement, measureElement, type ElementRequest, type Located } from './locate-element.js';
export { measureDocument, type Extent } from './measure-document.js';
export { growForContent, MAX_PIXELS, openDocument, viewHeight } from './open-document.js';
export { settlePage, type SettleOptions, type View } from './settle-page.js';
