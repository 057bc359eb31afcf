export { readContent } from './read-content.js';
export { readDocument } from './read-document.js';
