export { readPageStart } from './read-page-start.js';
