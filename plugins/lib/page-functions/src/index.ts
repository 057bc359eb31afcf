export { FlatTree } from './flat-tree.js';
export { definePageFunction, nextFrame, withFlatTree } from './page-function.js';
