import { formatText } from './format-text.js';

// A worker thread runs the default export.
export { formatText as default };
