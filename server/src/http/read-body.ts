import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PlatenError } from '@platen/kernel';
import { parseJson } from '../flags/parse-json.js';
import type { RouteContext } from '../service/router.js';
import { assertHasLarge, assertMayBeLarge, memberOf } from '../service/body-limit.js';
import { MEMORY_PER_BYTE } from './body-budget.js';
import { meterBody, type MeterOptions } from './meter-body.js';

export interface BodyOptions extends MeterOptions {
  /** Names of the parameters whose values are objects. */
  readonly objectKeys: ReadonlySet<string>;
  /** Names of the parameters whose values may be large. */
  readonly largeKeys: readonly string[];
  /** The path of the parameters in the body; by default they are the body's own members. */
  readonly paramsAt?: readonly string[] | undefined;
}

/**
 * The request's JSON body; undefined if there is none. Unlike common parsers this one refuses duplicate keys,
 * other charsets and empty bodies.
 */
export async function readJsonBody(ctx: RouteContext, options: BodyOptions): Promise<unknown> {
  if (!hasBody(ctx)) return undefined;
  assertJson(ctx);
  const { paramsAt = [] } = options;
  const bytes = await readMetered(ctx, options, buffer);
  if (bytes.length === 0) return undefined;
  assertMayBeLarge(bytes, options.largeKeys);
  const body = parseJson(bytes, {
    objectKeys: options.objectKeys,
    paramsAt,
    takeMemory: (memory) => options.share.grow(Math.max(0, memory / MEMORY_PER_BYTE - bytes.length)),
  });
  assertHasLarge(paramsAt.reduce(memberOf, body), bytes.length, options.largeKeys);
  return body;
}

function hasBody(ctx: RouteContext): boolean {
  const length = ctx.get('Content-Length');
  return ctx.get('Transfer-Encoding') !== '' || (length !== '' && Number(length) !== 0);
}

function assertJson(ctx: RouteContext): void {
  const charset = ctx.request.charset.toLowerCase();
  if (ctx.is('application/json') !== 'application/json') {
    throw new PlatenError(
      'unsupported_media_type',
      'the body must be JSON: send "Content-Type: application/json", or a form (curl -F) to POST /',
    );
  }
  if (charset !== '' && charset !== 'utf-8' && charset !== 'utf8') {
    throw new PlatenError('unsupported_media_type', 'JSON is UTF-8 (RFC 8259, 8.1): send no charset or "charset=utf-8"');
  }
}

/** Reads the body within its limits of size, pace and memory. */
export async function readMetered<T>(ctx: RouteContext, options: MeterOptions, read: (body: Readable) => Promise<T>): Promise<T> {
  let body: Readable | undefined;
  try {
    body = meterBody(ctx.req, options);
    return await Promise.race([read(body), clientGone(ctx)]);
  } catch (error) {
    options.share.release();
    throw toBodyError(error);
  } finally {
    body?.destroy();
    // The rest of a rejected body is read and discarded, so that the client receives the response and the connection stays in sync.
    ctx.req.resume();
  }
}

/** Rejects when the connection breaks: an inflating stream does not detect it. */
function clientGone({ req }: RouteContext): Promise<never> {
  return new Promise((_, reject) => {
    const check = () => {
      if (!req.complete) reject(new PlatenError('client_closed', 'the client disconnected before its request was complete'));
    };
    req.once('close', check);
  });
}

function toBodyError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!(error instanceof PlatenError) && typeof code === 'string' && /^(?:Z_|ERR_)/.test(code)) {
    return new PlatenError('malformed_request', 'the body does not match its "Content-Encoding"', { cause: error });
  }
  return error;
}
