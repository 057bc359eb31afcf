import type { TargetSession } from './contract.js';
import { enableNetwork } from './enable-network.js';
import type { UserAgentProfile } from './user-agent-profile.js';

/**
 * Requests sent with the browser's real user agent despite their target's overrides, since the browser builds them earlier: a popup's first
 * document (client hints), a service worker's script (everything). Undefined for all other targets.
 */
export function initialRequestFilter(
  target: TargetSession,
  { differs }: UserAgentProfile,
): { readonly resourceType?: 'Document' } | undefined {
  // A popup without an opener sends the real hints even with the browser's own user agent: they reveal the headless browser.
  if (target.kind === 'page' && !target.primary) return { resourceType: 'Document' };
  return target.kind === 'service_worker' && differs ? {} : undefined;
}

/** Runs the listener once the initial request is over. A popup's may be redirected; a service worker's may not. */
export function onInitialResponse(target: TargetSession, listener: () => void): void {
  if (target.kind === 'service_worker') {
    enableNetwork(target).catch(() => undefined);
    const stop = target.on('Network.responseReceived', () => {
      stop();
      listener();
    });
    return;
  }
  const stop = target.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    stop();
    listener();
  });
}
