/** Reason phrases of RFC 9110 (15), RFC 4918, RFC 6585 and RFC 7725: HTTP/2 and HTTP/3 have none. */
const PHRASES: Readonly<Record<number, string>> = {
  ...{ 200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content' },
  ...{ 207: 'Multi-Status', 300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found', 303: 'See Other' },
  ...{ 307: 'Temporary Redirect', 308: 'Permanent Redirect', 400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required' },
  ...{ 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable', 407: 'Proxy Authentication Required' },
  ...{ 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 411: 'Length Required', 412: 'Precondition Failed' },
  ...{ 413: 'Content Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable' },
  ...{ 417: 'Expectation Failed', 421: 'Misdirected Request', 422: 'Unprocessable Content', 423: 'Locked', 424: 'Failed Dependency' },
  ...{ 426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large' },
  ...{ 451: 'Unavailable For Legal Reasons', 500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway' },
  ...{ 503: 'Service Unavailable', 504: 'Gateway Timeout', 505: 'HTTP Version Not Supported', 507: 'Insufficient Storage' },
};

/** Empty for an unknown status. */
export function reasonPhrase(status: number): string {
  return PHRASES[status] ?? '';
}
