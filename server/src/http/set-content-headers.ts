import type { ServerContext } from '../service/request-state.js';

/** Sets `Content-Disposition`, for a file that a browser may display, and `Content-Type`. */
export function setContentHeaders(ctx: ServerContext, fileName: string, contentType: string): void {
  // Clients disagree about Latin-1 in `filename`: non-ASCII characters are only in `filename*` (RFC 6266, appendix D).
  ctx.attachment(fileName, { type: 'inline', fallback: fileName.replace(/[^\x20-\x7e]/gu, '-') });
  ctx.set('Content-Type', contentType);
}
