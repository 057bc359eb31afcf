/**
 * Converts HTML to Markdown, for the output type `markdown` and for plugins that return parts of pages as Markdown.
 *
 * @packageDocumentation
 */

export type { ConvertInput } from './convert.js';
export { convertHtml } from './convert-html.js';
