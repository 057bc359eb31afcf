import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlatenError } from '@platen/kernel';
import { toPlatenError } from '../service/problem.js';
import type { ServerContext } from './server-context.js';

/**
 * Writes a stream to the socket, after the status and headers that are set. If the stream fails in the middle, the connection is broken, so
 * that the response does not look complete.
 */
export async function sendStream(ctx: ServerContext, body: Readable): Promise<void> {
  const { status } = ctx;
  ctx.respond = false;
  ctx.res.statusCode = status;
  if (ctx.method === 'HEAD') {
    body.destroy();
    ctx.res.end();
    return;
  }
  const { length } = ctx;
  body.on('data', (chunk: Buffer | string) => {
    ctx.state.bytes += chunk.length;
    // A client that knows the length may close after the last byte, before a file reports its end. The chunk is written first.
    if (ctx.state.bytes === length) queueMicrotask(() => ctx.res.end());
  });
  ctx.res.once('finish', () => body.destroy());
  // Recorded immediately: the response closes, and the request is over, before the pipeline reports the cause.
  body.once('error', (error) => {
    ctx.state.error ??= toPlatenError(error);
  });
  try {
    await pipeline(body, ctx.res);
  } catch (error) {
    if (ctx.res.writableFinished) return;
    if (ctx.res.destroyed && isPrematureClose(error))
      throw new PlatenError('client_closed', 'the client disconnected before the response was complete', { cause: error });
    throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
