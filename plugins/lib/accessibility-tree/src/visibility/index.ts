/** Visibility by computed style alone. These classes and functions must not capture outer variables, so that pages can run them. */
export { flowOf } from '../flow.js';
export { Paint } from '../paint.js';
export { combine, isBackfacing, parseRotate, parseTransform, type Linear } from '../transform.js';
export { ClipShape, type Clipped } from './clip-shape.js';
export { isFixedContainingBlock, type ContainingBlockStyle } from './containing-block.js';
