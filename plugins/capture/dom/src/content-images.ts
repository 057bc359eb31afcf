import { decodeDataUrl, type Page, type Result, splitDataUrl, type TargetSession } from '@platen/kernel';
import type { ContentImage, ContentRequest } from './capture-kinds.js';

type Bounds = NonNullable<ContentRequest['images']>;

/** Maximum number of concurrent requests. */
const AT_ONCE = 6;

/**
 * The bytes of images by URL: from the resources that the page has loaded, else fetched by the page's own session and so through the
 * render's proxy. A file that is too large, is not an image or is unavailable is omitted. `data:` URLs contain their bytes.
 */
export async function loadImages(page: Page, urls: readonly string[], bounds: Bounds): Promise<ReadonlyMap<string, ContentImage>> {
  const loaded = await listLoaded(page);
  const images = new Map<string, ContentImage>();
  let left = bounds.maxBytesTotal;
  const wanted = urls.filter((url) => !url.startsWith('data:'));
  for (let from = 0; from < wanted.length && left > 0; from += AT_ONCE) {
    const batch = wanted.slice(from, from + AT_ONCE);
    const most = Math.min(left, bounds.maxBytesEach);
    const got = await Promise.all(batch.map((url) => loadImage(page, { url, most, loaded: loaded.get(url) }).catch(() => undefined)));
    for (const [index, image] of got.entries()) {
      const url = batch[index];
      if (image === undefined || url === undefined || image.body.length > left) continue;
      images.set(url, image);
      left -= image.body.length;
    }
  }
  return images;
}

/** An image that a frame has loaded. */
interface Loaded {
  readonly session: Pick<TargetSession, 'send'>;
  readonly frameId: string;
  /** As in the browser: with the user and password of its document. */
  readonly url: string;
  readonly contentType: string;
  /** Bytes, if the browser knows them. */
  readonly size: number | undefined;
}

async function listLoaded(page: Page): Promise<ReadonlyMap<string, Loaded>> {
  const list = async (session: TargetSession) => listFrame(session, (await session.send('Page.getResourceTree')).frameTree);
  // A frame that is gone meanwhile has no loaded resources.
  const trees = await Promise.all(page.frameTargets().map((session) => list(session).catch(() => [])));
  return new Map(trees.flat());
}

type FrameTree = Result<'Page.getResourceTree'>['frameTree'];

function listFrame(session: Pick<TargetSession, 'send'>, { frame, resources, childFrames = [] }: FrameTree): (readonly [string, Loaded])[] {
  const own = resources
    .filter(({ type, failed, canceled }) => type === 'Image' && failed !== true && canceled !== true)
    .map(({ url, mimeType, contentSize }) => {
      const bare = url.replace(/^(https?:\/\/)[^/?#]*@/, '$1');
      return [bare, { session, frameId: frame.id, url, contentType: mimeType, size: contentSize }] as const;
    });
  return [...own, ...childFrames.flatMap((child) => listFrame(session, child))];
}

interface Wanted {
  readonly url: string;
  /** Bytes. */
  readonly most: number;
  readonly loaded: Loaded | undefined;
}

async function loadImage(page: Page, wanted: Wanted): Promise<ContentImage | undefined> {
  const other = wanted.url.startsWith('blob:') ? readBlob : fetchImage;
  const image = (await readLoaded(wanted)) ?? (await other(page, wanted));
  return image !== undefined && image.body.length <= wanted.most && image.contentType.startsWith('image/') ? image : undefined;
}

async function readLoaded({ most, loaded }: Wanted): Promise<ContentImage | undefined> {
  if (loaded === undefined || (loaded.size ?? 0) > most) return undefined;
  const { session, frameId, url, contentType } = loaded;
  const read = await session.send('Page.getResourceContent', { frameId, url }).catch(() => undefined);
  if (read === undefined || read.content === '') return undefined;
  return { contentType, body: Buffer.from(read.content, read.base64Encoded ? 'base64' : 'utf8') };
}

/** By the browser, as the page itself would fetch it: with its cookies, cache and proxy. */
async function fetchImage(page: Page, { url, most }: Wanted): Promise<ContentImage | undefined> {
  const { resource } = await page.send('Network.loadNetworkResource', {
    frameId: page.mainFrameId,
    url,
    options: { disableCache: false, includeCredentials: true },
  });
  const { success, httpStatusCode = 0, stream, headers = {} } = resource;
  if (stream === undefined) return undefined;
  try {
    if (!success || httpStatusCode < 200 || httpStatusCode > 299) return undefined;
    const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    const body = await readStream(page, stream, most);
    return body === undefined || typeof contentType !== 'string'
      ? undefined
      : { contentType: contentType.replace(/;.*/s, '').trim(), body };
  } finally {
    page.send('IO.close', { handle: stream }).catch(() => undefined);
  }
}

/** Undefined if there is more than the limit. */
async function readStream(page: Page, handle: string, most: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (let size = 0, ended = false; !ended;) {
    const { data, base64Encoded = false, eof } = await page.send('IO.read', { handle });
    const piece = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    pieces.push(piece);
    size += piece.length;
    ended = eof;
    if (size > most) return undefined;
  }
  return Buffer.concat(pieces);
}

/** For an image that exists only in the page. */
async function readBlob(page: Page, { url, most }: Wanted): Promise<ContentImage | undefined> {
  const parts = splitDataUrl((await page.evaluate(blobAsDataUrl, url, most)) ?? '');
  return parts?.isBase64 === true ? { contentType: parts.type.replace(/;.*/s, ''), body: decodeDataUrl(parts) } : undefined;
}

/** Runs in the page; must not capture outer variables. */
function blobAsDataUrl(url: string, most: number): Promise<string | null> {
  return new Promise((resolve) => {
    const give = (value: unknown): void => {
      resolve(typeof value === 'string' ? value : null);
    };
    const request = new XMLHttpRequest();
    request.open('GET', url);
    request.responseType = 'blob';
    request.onerror = () => {
      give(null);
    };
    request.onload = () => {
      const blob: unknown = request.response;
      if (!(blob instanceof Blob) || blob.size > most) {
        give(null);
        return;
      }
      const reader = new FileReader();
      reader.onload = () => {
        give(reader.result);
      };
      reader.onerror = () => {
        give(null);
      };
      reader.readAsDataURL(blob);
    };
    request.send();
  });
}
