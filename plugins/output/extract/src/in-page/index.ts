export { readPage } from './read-page.js';
