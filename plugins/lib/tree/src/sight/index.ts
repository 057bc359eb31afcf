/** What decides whether a thing can be seen, by computed style alone: classes and functions that close over nothing, so that pages can run them. */
export { flowOf } from '../flow.js';
export { Paint } from '../paint.js';
export { combine, facesAway, parseRotate, parseTransform, type Linear } from '../turn.js';
export { ClipShape, type Clipped } from './clip-shape.js';
export { holdsFixed, type HoldingStyle } from './holding.js';
