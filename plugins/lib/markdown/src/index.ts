export type { ConvertInput } from './convert.js';
export { convertHtml } from './convert-html.js';
