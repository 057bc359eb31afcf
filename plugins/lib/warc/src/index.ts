export type * from './exchange.js';
