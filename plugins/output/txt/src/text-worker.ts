import { formatText } from './format-text.js';

// The default export is what a worker thread runs.
export { formatText as default };
