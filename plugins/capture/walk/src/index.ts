export type * from './walk.js';
