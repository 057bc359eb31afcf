/** Visibility by computed style alone. These classes and functions must not capture outer variables, because they also run in pages. */
export { ClipShape, flowOf, isFixedContainingBlock, type Clipped, type ContainingBlockStyle } from './box-rules.js';
export { Paint } from './paint.js';
export { combine, isBackfacing, parseRotate, parseTransform, type Linear } from './transform.js';
