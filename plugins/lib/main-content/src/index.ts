export type { Article } from './in-page/read-article.js';
export { readArticle } from './in-page/index.js';
