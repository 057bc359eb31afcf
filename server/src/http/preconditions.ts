import { PlatenError } from '@platen/kernel';
import type { ServerContext } from './exchange.js';

/**
 * What the request presumes and the answer's validators, once they are set, do not bear out (RFC 9110, 13.1.1 and 13.1.4). An answer
 * without validators bears out anything: it was made for this request.
 */
export function findFailedPrecondition({ method, headers, response }: ServerContext): PlatenError | undefined {
  // What POST asks for is made whatever there was.
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const etag = response.get('ETag');
  const { 'if-match': match, 'if-unmodified-since': since } = headers;
  if (match !== undefined) return etag === '' || isListed(etag, match) ? undefined : failed('If-Match');
  // A time that is none is as good as not sent.
  return Date.parse(response.get('Last-Modified')) > Date.parse(since ?? '') ? failed('If-Unmodified-Since') : undefined;
}

/** Strong comparison: a weak tag fits nothing. */
function isListed(etag: string, list: string): boolean {
  return list.trim() === '*' || list.split(',').some((tag) => tag.trim() === etag);
}

function failed(header: string): PlatenError {
  return new PlatenError(
    'precondition_failed',
    `what is kept here is another than the header "${header}" presumes: ask without it for what there is`,
  );
}
