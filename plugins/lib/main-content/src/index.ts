/**
 * Reads the article of a page with `@mozilla/readability`, for the capture kinds of `dom`. A package of its own, because its source text
 * is sent to pages only for `main_content`.
 *
 * @packageDocumentation
 */

export type { Article } from './in-page/read-article.js';
export { readArticle } from './in-page/index.js';
