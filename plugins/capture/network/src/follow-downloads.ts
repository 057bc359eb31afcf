import type { TargetSession } from '@platen/kernel';
import type { PendingExchange } from './pending-exchange.js';
import type { ExchangeTable } from './exchange-table.js';
import { redactUrl } from './redact-url.js';

/**
 * A document that becomes a download is reported as a canceled load. If the file arrives, the exchange has not failed: its body went to
 * the file, not to the page. Returns a function that ends the tracking.
 */
export function followDownloads(target: TargetSession, table: ExchangeTable): () => void {
  const downloads = new Map<string, PendingExchange>();
  const listening = [
    target.on('Page.downloadWillBegin', ({ guid, frameId, url }) => {
      const wanted = redactUrl(url.replace(/#.*/, ''));
      const pending = table.drafts.findLast((one) => one.frameId === frameId && one.url.replace(/#.*/, '') === wanted);
      if (pending?.response) downloads.set(guid, pending);
    }),
    target.on('Page.downloadProgress', ({ guid, state, receivedBytes }) => {
      const pending = downloads.get(guid);
      if (!pending || state !== 'completed') return;
      pending.failure = undefined;
      pending.seen = receivedBytes;
    }),
  ];
  return () => {
    for (const stop of listening) stop();
  };
}
