import type { IncomingMessage } from 'node:http';

/** Fields that belong to one connection (RFC 9110, 7.6.1) or to a proxy. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The flat name-value list to send on: order, case and repetitions stay. No `Via` is added, and `Proxy-Connection` becomes the
 * `Connection` that the browser would have sent in its place, so that a site sees what it sees without a proxy.
 */
export function requestHeaders(request: IncomingMessage): string[] {
  return forwardable(request, (name) => (name === 'proxy-connection' ? ['Connection', 'keep-alive'] : []));
}

/** The same for an answer; an end of the upstream connection is the end of the browser's. */
export function responseHeaders(response: IncomingMessage): string[] {
  const headers = forwardable(response, () => []);
  return /\bclose\b/i.test(response.headers.connection ?? '') ? [...headers, 'Connection', 'close'] : headers;
}

function forwardable(message: IncomingMessage, instead: (name: string) => string[]): string[] {
  const listed = new Set((message.headers.connection ?? '').split(',').map((token) => token.trim().toLowerCase()));
  const chunked = message.headers['transfer-encoding'] !== undefined;
  const headers = message.rawHeaders.flatMap((name, index, all) => {
    if (index % 2 === 1) return [];
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower)) return instead(lower);
    // A length beside chunks is ignored by every reader (RFC 9112, 6.3) and must not be passed on.
    if (listed.has(lower) || (chunked && lower === 'content-length') || !isToken(name)) return [];
    return [name, printable(all[index + 1] ?? '')];
  });
  return chunked ? [...headers, 'Transfer-Encoding', 'chunked'] : headers;
}

const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** What may stand in a field's value: sites send worse, and browsers show it. */
export function printable(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}
