import type { IncomingMessage } from 'node:http';
import { PlatenError } from '@platen/kernel';
import type { Middleware } from 'koa';
import type { RequestState } from './request-state.js';

/**
 * Rejects requests that Node's parser accepts although they are invalid, or would reject without a response. The connection then ends,
 * since its next bytes cannot be interpreted.
 */
export const assertRequest: Middleware<RequestState> = async (ctx, next) => {
  const fault = faultOf(ctx.req);
  if (fault !== undefined) {
    ctx.set('Connection', 'close');
    // The bytes behind the headers are read and discarded. Otherwise the client could lose the response to a connection reset.
    ctx.req.resume();
    throw fault;
  }
  assertFewParams(ctx.querystring);
  await next();
};

/** Far more than there are keys, cookies and headers. A longer query would be expensive to sort, sign or explain. */
const MAX_QUERY_PARAMS = 10_000;

/** Runs before the query is read: credentials have not been checked yet. */
function assertFewParams(query: string): void {
  let count = query === '' ? 0 : 1;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) count += 1;
  if (count <= MAX_QUERY_PARAMS) return;
  throw new PlatenError(
    'malformed_request',
    `the query has ${String(count)} parameters, more than ${String(MAX_QUERY_PARAMS)}: send long lists as the body of POST /`,
  );
}

function faultOf({ rawHeaders, headers, httpVersion }: IncomingMessage): PlatenError | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  // RFC 9112, 3.2.
  if (hosts > 1) return new PlatenError('malformed_request', 'the request has more than one "Host" header');
  if (httpVersion === '1.0') return undefined;
  if (hosts === 0) return new PlatenError('malformed_request', 'the request has no "Host" header: HTTP/1.1 needs one');
  // RFC 9110, 10.1.1 defines only one expectation.
  if (headers.expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) return undefined;
  return new PlatenError('expectation_failed', 'the header "Expect" may say "100-continue" and nothing else');
}
