import { type BaseRenderContext, contextKey } from './context.js';
import { type Outbound, outboundThrough } from './egress/outbound.js';
import { OutboundError } from './egress/outbound-error.js';

/** Set by the plugin that answers the requests of an offline render, in `beforeOpen`: its answers to requests without a page. */
export const offlineOutbound = contextKey<Outbound['open']>('kernel: answers of an offline render');

/**
 * The client for requests on behalf of a render, such as the files of a crawl: through its own proxy, or, if it is offline, from the plugin
 * that answers it. What the request itself names, such as a list of input data, is not fetched on behalf of the render.
 */
export function outboundOf({ plan: { browser }, get }: Pick<BaseRenderContext, 'plan' | 'get'>, outbound: Outbound): Outbound {
  if (browser.offline !== true) return outboundThrough(browser.proxy, outbound);
  const refuse = () => Promise.reject(new OutboundError('blocked', 'the render has no network'));
  return { ...outbound, fetch: refuse, open: get(offlineOutbound) ?? refuse };
}
