import type { ProtocolSession } from './contract.js';

/** Bytes of what a page posts, as they are in the event of its request; `Network.getRequestPostData` has more. */
const MAX_POST_BYTES = 64 * 1024;

/** Lets a target tell of its requests. Without a bound, `requestWillBeSent` has everything that is posted, escaped: up to six times its size. */
export function enableNetwork({ send }: Pick<ProtocolSession, 'send'>): Promise<void> {
  return send('Network.enable', { maxPostDataSize: MAX_POST_BYTES });
}
