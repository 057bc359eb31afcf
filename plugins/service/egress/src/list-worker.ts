import { parseList } from './parse-list.js';

export { parseList as default };
