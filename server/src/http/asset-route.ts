import type Router from '@koa/router';
import { type AssetStore, invalidParameter, PlatenError, type PublishedAsset } from '@platen/kernel';
import parseRange from 'range-parser';
import type { RequestState } from '../service/request-state.js';
import type { ServerContext } from './server-context.js';
import { setContentHeaders } from './response-headers.js';
import { findFailedPrecondition, isNotModified } from './preconditions.js';
import { sendStream } from './send-stream.js';

/** CORS headers of assets for viewers. The unguessable id is the credential. */
const FOR_VIEWERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Disposition, Content-Range, ETag',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** `GET /assets?id=...`: additional outputs of a render. */
export function addAssetRoute(router: Router<RequestState>, store: Pick<AssetStore, 'find'>): void {
  router.get('/assets', async (ctx) => {
    const found = await store.find(readId(ctx));
    if (found === undefined) throw new PlatenError('not_found', 'the asset does not exist');
    if (found === 'expired') throw new PlatenError('gone', 'the asset has expired; render again for a new one');
    await sendAsset(ctx, found);
  });
}

function readId({ querystring, state }: ServerContext): string {
  const pairs = [...new URLSearchParams(querystring)].filter(([key]) => !state.strip.includes(key));
  const unknown = pairs.find(([key]) => key !== 'id');
  if (unknown !== undefined) throw invalidParameter(unknown[0], `unknown parameter "${unknown[0]}": /assets accepts only "id"`);
  const [first, ...rest] = pairs.map(([, value]) => value);
  if (first === undefined || rest.length > 0) {
    throw invalidParameter('id', '"id" must be given exactly once: the "Link" header of the render that created the asset contains it');
  }
  return first;
}

async function sendAsset(ctx: ServerContext, { asset, fileName, publishedAt, expiresAt }: PublishedAsset): Promise<void> {
  ctx.status = 200;
  setContentHeaders(ctx, fileName, asset.contentType);
  ctx.set({
    'Accept-Ranges': 'bytes',
    'Cache-Control': `private, immutable, max-age=${String(Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)))}`,
    ...(asset.forViewers === true ? FOR_VIEWERS : {}),
  });
  ctx.etag = asset.sha256;
  ctx.lastModified = publishedAt;
  const failed = findFailedPrecondition(ctx);
  if (failed !== undefined) throw failed;
  if (isNotModified(ctx)) {
    ctx.status = 304;
    return;
  }
  const range = readRange(ctx, asset.bytes);
  if (range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${String(asset.bytes)}`);
    throw new PlatenError('range_not_satisfiable', `the asset has ${String(asset.bytes)} bytes`);
  }
  if (range !== undefined) {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${String(range.start)}-${String(range.end)}/${String(asset.bytes)}`);
  }
  ctx.length = range === undefined ? asset.bytes : range.end - range.start + 1;
  await sendStream(ctx, asset.open(range));
}

/**
 * Serves the requested single range. Several ranges, or a range of an asset that changed, get the whole asset (RFC 9110, 14.2 and 13.1.5).
 */
function readRange(ctx: ServerContext, bytes: number): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const header = ctx.get('Range');
  const condition = ctx.get('If-Range');
  if (header === '' || (condition !== '' && condition !== ctx.response.get('ETag'))) return undefined;
  const ranges = parseRange(bytes, header);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
