import { contextKey, type Download, enableNetwork, type RenderContext, type TargetTree } from '@platen/kernel';
import { acceptErrorFiles } from './accept-errors.js';
import { askType } from './ask-type.js';
import { withoutFragment } from './media-type.js';

/** The state of a render's downloads. */
export interface Begun {
  readonly download: Download;
  /** Content-Type by URL; queried while the file downloads. */
  readonly types: Promise<ReadonlyMap<string, string>>;
}

export interface DownloadWatch {
  /** If there are several, the others are canceled. */
  readonly first: Promise<Begun>;
}

export const DOWNLOAD_WATCH = contextKey<DownloadWatch>('download');

/** From here on downloads are accepted. The first one that begins ends all waiting. */
export async function watchDownloads(context: RenderContext): Promise<void> {
  const types = watchTypes(context.page.targets);
  const downloads = await context.acceptDownloads();
  if (isForgiving(context.params)) await acceptErrorFiles(context);
  const first = new Promise<Begun>((resolve) => {
    let begun = false;
    downloads.onBegin((download) => {
      if (begun) {
        void download.cancel();
        return;
      }
      begun = true;
      resolve({ download, types: typesFor(download, context, types) });
      context.ready();
    });
  });
  context.set(DOWNLOAD_WATCH, { first });
}

/** `fail` is one of the kernel's own parameters. */
function isForgiving(params: Readonly<Record<string, unknown>>): boolean {
  return params.fail === false;
}

/** Uses the observed responses; for a file without an observed response, queries its page now. */
async function typesFor(
  { url }: Download,
  { page }: RenderContext,
  seen: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const key = withoutFragment(url);
  if (seen.has(key)) return seen;
  const type = await askType(page, url);
  return type === '' ? seen : new Map([...seen, [key, type]]);
}

/** Content-Type by URL of all loaded resources: a script may already have fetched a file that a link's attribute saves later. */
function watchTypes(targets: TargetTree): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  targets.configure((target) => {
    if (target.kind !== 'page' && target.kind !== 'iframe') return [];
    target.on('Network.responseReceived', ({ response }) => {
      if (response.status >= 300) return;
      const [, value = response.mimeType] = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
      types.set(withoutFragment(response.url), value);
    });
    return [enableNetwork(target)];
  });
  return types;
}
