export { FlatTree } from './flat-tree.js';
export { nextFrame, withFlatTree } from './page-function.js';
