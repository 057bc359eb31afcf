import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { RenderPlan, RenderResult, Timings } from '@platen/kernel';
import { PHASES } from '../service/render-service.js';
import type { ServerContext } from './request-state.js';
import { keepFileName, nameFile } from './file-name.js';
import { setContentHeaders } from './set-content-headers.js';
import { findFailedPrecondition } from './preconditions.js';
import { sendStream } from './send-stream.js';
import { isNotModified } from './not-modified.js';

/**
 * Writes a render's response to the socket. Headers are sent with the first byte of the body, so that a stream that fails immediately still
 * becomes a problem document. If a stream fails later, the connection is broken, so that the client cannot mistake the response for a
 * complete 200.
 */
export async function sendOutput(ctx: ServerContext, plan: RenderPlan, result: RenderResult): Promise<void> {
  const { body } = result.output;
  if (body instanceof Readable) await started(body);
  ctx.status = 200;
  setHeaders(ctx, plan, result);
  // A cached result has validators (RFC 9110, 13).
  const failed = findFailedPrecondition(ctx);
  if (failed !== undefined) {
    if (body instanceof Readable) body.destroy();
    throw failed;
  }
  if (isNotModified(ctx)) {
    if (body instanceof Readable) body.destroy();
    ctx.status = 304;
    return;
  }
  if (Buffer.isBuffer(body)) {
    ctx.length = body.length;
    ctx.body = body;
    return;
  }
  if (result.output.length !== undefined) ctx.length = result.output.length;
  await sendStream(ctx, body);
}

function setHeaders(ctx: ServerContext, plan: RenderPlan, { output, headers, timings }: RenderResult): void {
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  const name =
    output.filename === undefined ? nameFile(plan.url, output.extension) : keepFileName(output.filename) || `page.${output.extension}`;
  setContentHeaders(ctx, name, output.contentType);
  // A cached result took no time here.
  if (Object.keys(timings).length > 0) ctx.set('Server-Timing', serverTiming(timings));
  // Any page may embed images and videos, for example as an <img> with a signed URL; all other outputs are for the client only.
  if (/^(?:image|video)\//.test(output.contentType)) ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** Phases as Server-Timing metrics, durations in milliseconds. */
function serverTiming(timings: Timings): string {
  return PHASES.map((phase) => `${phase};dur=${(timings[phase] ?? 0).toFixed(1)}`).join(', ');
}

/** Resolves with the first bytes, or the end, of a stream; throws an error that comes earlier. */
async function started(body: Readable): Promise<void> {
  assertSound(body);
  if (body.readableEnded || body.readableLength > 0) return;
  if (body.destroyed) throw new Error('the output was closed before it was sent');
  await Promise.race([once(body, 'readable'), once(body, 'end')]);
  // A failure in the same turn as the first bytes was already emitted to the listeners above.
  assertSound(body);
}

function assertSound({ errored }: Readable): void {
  if (errored !== null) throw errored;
}
