import type { TargetSession } from '@platen/kernel';
import type { Draft } from './draft.js';
import type { ExchangeTable } from './exchange-table.js';
import { redactUrl } from './redact-url.js';

/**
 * A document that becomes a download is told as a load that was cancelled. Where the file arrives, the exchange has not failed: its
 * body went to the file, not to the page. Returns what ends it.
 */
export function followDownloads(target: TargetSession, table: ExchangeTable): () => void {
  const downloads = new Map<string, Draft>();
  const listening = [
    target.on('Page.downloadWillBegin', ({ guid, frameId, url }) => {
      const wanted = redactUrl(url.replace(/#.*/, ''));
      const draft = table.drafts.findLast((one) => one.frameId === frameId && one.url.replace(/#.*/, '') === wanted);
      if (draft?.response) downloads.set(guid, draft);
    }),
    target.on('Page.downloadProgress', ({ guid, state, receivedBytes }) => {
      const draft = downloads.get(guid);
      if (!draft || state !== 'completed') return;
      draft.failure = undefined;
      draft.seen = receivedBytes;
    }),
  ];
  return () => {
    for (const stop of listening) stop();
  };
}
