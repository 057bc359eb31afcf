export type { Claim, Failure, Frontier, FrontierCounts, Offer } from './frontier.js';
export { keyOfUrl } from './keys.js';
export { openFrontier, type FrontierOptions } from './open-frontier.js';
export { assertUnused, FrontierError } from './open-store.js';
