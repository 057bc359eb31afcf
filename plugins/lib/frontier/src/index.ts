/**
 * The queue of the URLs of a walk, on disk (LevelDB): offered and claimed URLs, and the time of the next request to each host. For walks
 * that survive their process.
 *
 * The order is lowest depth first, then first in, first out, among hosts that may get a request now. Each URL is queued once, by
 * `keyOfUrl`. Calls of `offer`, `done`, `fail` and `archive` that have resolved survive a crash; claimed URLs are queued again. `durable:
 * false` waits for no disk. Memory is constant in the number of URLs.
 *
 * @packageDocumentation
 */

export type { Claim, Failure, Frontier, FrontierCounts, Offer } from './frontier.js';
export { keyOfUrl } from './keys.js';
export { openFrontier, type FrontierOptions } from './open-frontier.js';
export { assertUnused, FrontierError } from './open-store.js';
