import { randomUUID } from 'node:crypto';
import type { ServerContext } from './server-context.js';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The client's own id if it is safe in a header and a log line, else a new one. */
export function chooseRequestId(given: string): string {
  return SANE.test(given) ? given : randomUUID();
}

/**
 * Headers of every response. Page content must not run as this server's own: it is neither sniffed into another type nor given the server's
 * origin.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': 'sandbox',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Sets `Content-Disposition`, for a file that a browser may display, and `Content-Type`. */
export function setContentHeaders(ctx: ServerContext, fileName: string, contentType: string): void {
  // Clients disagree about Latin-1 in `filename`: non-ASCII characters are only in `filename*` (RFC 6266, appendix D).
  ctx.attachment(fileName, { type: 'inline', fallback: fileName.replace(/[^\x20-\x7e]/gu, '-') });
  ctx.set('Content-Type', contentType);
}
