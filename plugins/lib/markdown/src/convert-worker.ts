export { convert as default } from './convert.js';
