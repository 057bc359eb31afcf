export { fetchSource, isUrl, nameSource, sourceFault, unreadable, type NamedSource } from './sources.js';
