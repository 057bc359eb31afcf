export * from './action.js';
