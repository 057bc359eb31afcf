export { abortOnRead, abortOnWrite, abortScript } from './abort.js';
export { preventFetch, preventInterval, preventListener, preventOpen, preventTimeout } from './prevent.js';
export { removeAttribute, removeClass, setConstant } from './set.js';
