export { type Copied, pasteCopied, readCopied, watchClipboard } from './clipboard.js';
export { findCheckable, findFileInput, findEditor, findStandIn, readChecked, readFacts, setFiles, waitForChecked } from './controls.js';
export { findField, hideCharacters, isReadOnly, readKind, readValue, selectAll, setSecret, setValue } from './fill.js';
export { classifyClick, isStill, readState, scrollTo } from './reach-element.js';
export { classifyWheel, findScroller, isRootScroller, sizeOf, waitForScrollEnd, watchScroll } from './scroll.js';
export { clearSecrets } from './secrets.js';
export { findOption, findSelect, isListClosed, isListOpen, isOptionSelected, listOptions, selectTyped, setSelected } from './select.js';
