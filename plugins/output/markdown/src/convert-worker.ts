// eslint-disable-next-line no-restricted-syntax -- the thread's function, as the pool of workers asks for it
export { convert as default } from './convert.js';
