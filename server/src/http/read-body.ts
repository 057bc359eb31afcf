import { PlatenError } from '@platen/kernel';
import { HttpMethodEnum, koaBody } from 'koa-body';
import type { Context } from 'koa';
import { assertLargeForStorage, assertMayBeLarge } from './body-limit.js';
import { parseJson } from './parse-json.js';

/**
 * The request's JSON body; undefined where it has none. koa-body inflates, bounds and collects it, once, as bytes; what they say
 * is judged here, since its own JSON parser lets duplicate keys, foreign charsets and empty bodies pass.
 */
export async function readJsonBody(ctx: Context, limit: number): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  assertJson(ctx);
  const bytes = await readBytes(ctx, limit);
  if (bytes.length === 0) return undefined;
  assertMayBeLarge(bytes);
  const body = parseJson(bytes);
  assertLargeForStorage(body, bytes.length);
  return body;
}

function hasBody(ctx: Context): boolean {
  const length = ctx.get('Content-Length');
  return ctx.get('Transfer-Encoding') !== '' || (length !== '' && Number(length) !== 0);
}

function assertJson(ctx: Context): void {
  const charset = ctx.request.charset.toLowerCase();
  if (ctx.is('application/json') !== 'application/json') {
    throw new PlatenError('unsupported_media_type', 'the body must be JSON: send "Content-Type: application/json"');
  }
  if (charset !== '' && charset !== 'utf-8' && charset !== 'utf8') {
    throw new PlatenError('unsupported_media_type', 'JSON is UTF-8 (RFC 8259, 8.1): send no charset or "charset=utf-8"');
  }
}

async function readBytes(ctx: Context, limit: number): Promise<Buffer> {
  // Latin-1 keeps every byte; koa-body's text parser would decode UTF-8 leniently.
  const read = koaBody({
    json: false,
    urlencoded: false,
    multipart: false,
    text: true,
    textTypes: ['application/json'],
    encoding: 'latin1',
    textLimit: limit,
    patchNode: false,
    patchKoa: true,
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.DELETE],
  });
  try {
    await Promise.race([read(ctx, () => Promise.resolve()), clientGone(ctx)]);
  } catch (error) {
    // The rest of the body is read and dropped, so that the client gets to see the answer and the connection stays in step.
    ctx.req.unpipe();
    ctx.req.resume();
    throw toBodyError(error, limit);
  }
  const body: unknown = ctx.request.body;
  return Buffer.from(typeof body === 'string' ? body : '', 'latin1');
}

/** Rejects when the connection breaks: an inflating stream does not notice. */
function clientGone({ req }: Context): Promise<never> {
  return new Promise((_, reject) => {
    const check = () => {
      if (!req.complete) reject(new PlatenError('client_closed', 'the client left before its request was whole'));
    };
    req.once('close', check);
  });
}

function toBodyError(error: unknown, limit: number): unknown {
  if (error instanceof PlatenError) return error;
  const { type, status, code } = fieldsOf(error);
  if (type === 'entity.too.large') return new PlatenError('payload_too_large', `the body is larger than ${String(limit)} bytes`);
  if (type === 'request.aborted') return new PlatenError('client_closed', 'the client left before its request was whole', { cause: error });
  if (type === 'request.size.invalid') return new PlatenError('malformed_request', 'the body is not as long as "Content-Length" says');
  if (status === 415)
    return new PlatenError('unsupported_media_type', 'the body\'s "Content-Encoding" must be gzip, deflate, br or identity');
  if (typeof code === 'string' && /^(?:Z_|ERR_)/.test(code)) {
    return new PlatenError('malformed_request', 'the body is not what its "Content-Encoding" says', { cause: error });
  }
  return error;
}

/** What raw-body, http-errors and zlib say about their errors. */
function fieldsOf(error: unknown): Readonly<Record<'type' | 'status' | 'code', unknown>> {
  if (!(error instanceof Error)) return { type: undefined, status: undefined, code: undefined };
  return {
    type: 'type' in error ? error.type : undefined,
    status: 'status' in error ? error.status : undefined,
    code: 'code' in error ? error.code : undefined,
  };
}
