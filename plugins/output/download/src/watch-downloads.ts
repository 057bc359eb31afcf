import { contextKey, type Download, type RenderContext, type TargetTree } from '@platen/kernel';
import { withoutFragment } from './media-type.js';

/** What is known of a render's downloads. */
export interface DownloadWatch {
  /** Of several, the others are given up. */
  readonly first: Promise<Download>;
  /** Content-Type of the documents that were asked for, by URL. */
  readonly types: ReadonlyMap<string, string>;
}

export const DOWNLOAD_WATCH = contextKey<DownloadWatch>('download');

/** From here on files are taken. The first one that begins ends all waiting. */
export async function watchDownloads(context: RenderContext): Promise<void> {
  if (context.plan.capture.kind !== 'download') return;
  const types = watchTypes(context.page.targets);
  const downloads = await context.acceptDownloads();
  const first = new Promise<Download>((resolve) => {
    let begun = false;
    downloads.onBegin((download) => {
      if (begun) {
        void download.cancel();
        return;
      }
      begun = true;
      resolve(download);
      context.ready();
    });
  });
  context.set(DOWNLOAD_WATCH, { first, types });
}

/** A download begins as the loading of a document, unless a link's `download` attribute asks for it. */
function watchTypes(targets: TargetTree): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  targets.configure((target) => {
    if (target.kind !== 'page' && target.kind !== 'iframe') return [];
    target.on('Network.responseReceived', ({ type, response }) => {
      if (type !== 'Document') return;
      const [, value = response.mimeType] = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
      types.set(withoutFragment(response.url), value);
    });
    return [target.send('Network.enable')];
  });
  return types;
}
