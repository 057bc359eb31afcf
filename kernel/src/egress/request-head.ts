/** A request as the browser sent it: field names keep their case, order and repetitions. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body, or chunks. */
  readonly body: number | 'chunked';
}

/** Bytes that are not a request, or a request whose end is ambiguous (request smuggling). */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

/** Fields that belong to one connection (RFC 9110, 7.6.1) or to a proxy. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/**
 * Reads a head without its blank line, as Latin-1. As strict as possible, since browsers write well-formed requests: accepted heads are
 * forwarded unchanged, and must mean the same to the next reader. Throws a `RequestError`.
 */
export function parseRequestHead(text: string): RequestHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, method, target] = /^([\w!#$%&'*+.^`|~-]+) ([!-~\x80-\xff]+) HTTP\/1\.[01]$/.exec(first) ?? [];
  if (method === undefined || target === undefined) throw new RequestError('not a request line');
  const fields = lines.map(parseField);
  return { method, target, fields, body: bodyOf(fields) };
}

function parseField(line: string): readonly [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):([\t -~\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new RequestError('not a header field');
  // Not `trim`, which may remove the last byte of a UTF-8 character as a blank.
  return [name, value.replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, '')];
}

/** RFC 9112, 6.3, without the cases in which recipients may guess. */
function bodyOf(fields: RequestHead['fields']): number | 'chunked' {
  const lengths = valuesOf(fields, 'content-length');
  const encodings = valuesOf(fields, 'transfer-encoding');
  const [length = '0'] = lengths;
  const [encoding] = encodings;
  if (lengths.length + encodings.length > 1) throw new RequestError('more than one length');
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') throw new RequestError('an encoding that is not chunked');
  if (!/^\d{1,15}$/.test(length)) throw new RequestError('not a length');
  return encoding === undefined ? Number(length) : 'chunked';
}

/** The values of a field, by its lower-case name. */
export function valuesOf(fields: RequestHead['fields'], wanted: string): readonly string[] {
  return fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

/**
 * The head to send on, in origin form. No `Via` is added, and `Proxy-Connection` becomes the `Connection` that the browser would have sent
 * in its place, so that a site sees the same request as without a proxy.
 */
export function writeRequestHead({ method, fields }: RequestHead, path: string): Buffer {
  const listed = new Set(valuesOf(fields, 'connection').flatMap((value) => value.split(',').map((token) => token.trim().toLowerCase())));
  // `Connection` must not remove the fields that determine the end of the body.
  for (const name of ['content-length', 'transfer-encoding', 'host']) listed.delete(name);
  const lines = fields.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'proxy-connection') return ['Connection: keep-alive'];
    return HOP_BY_HOP.has(lower) || listed.has(lower) ? [] : [`${name}: ${value}`];
  });
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1');
}
