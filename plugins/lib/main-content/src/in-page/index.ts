export { readArticle } from './read-article.js';
