/** Visibility by computed style alone. These classes and functions must not capture outer variables, because they also run in pages. */
export { type Clipped, ClipShape, type ContainingBlockStyle, flowOf, isFixedContainingBlock, Paint } from './box-rules.js';
export { combine, isBackfacing, parseRotate, parseTransform, type Linear } from './transform.js';
