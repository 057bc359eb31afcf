import type { ProtocolSession } from './contract.js';

/** Limit in bytes of POST data within request events; `Network.getRequestPostData` has more. */
const MAX_POST_BYTES = 64 * 1024;

/**
 * Reports a target's requests (Network.enable). Without a limit, `requestWillBeSent` has all POST data, escaped: up to six times its size.
 */
export function enableNetwork({ send }: Pick<ProtocolSession, 'send'>): Promise<void> {
  return send('Network.enable', { maxPostDataSize: MAX_POST_BYTES });
}
