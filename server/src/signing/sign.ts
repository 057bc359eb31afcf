import { createHmac } from 'node:crypto';
import { parseQuery } from '@platen/schema';
import { canonicalQuery } from './canonical-query.js';
import { toKey } from './secret.js';

export interface SigningOptions {
  /** The shared secret: `SECRET` or `hmac-sha256:SECRET`. */
  readonly secret: string;
  /** When the signature expires: Unix time in whole seconds. */
  readonly expires: number;
}

/** The query parameters that a signature adds; they are not render parameters. */
export const SIGNING_PARAMS = ['expires', 'signature'] as const;

/**
 * Signs a URL's query (the interface specification, Signing a URL): HMAC-SHA256 (RFC 2104) as lower-case hex. The URL may be absolute or
 * begin with its path. It is not changed, except that its fragment is removed and `expires` and `signature` are replaced. Throws a
 * `TypeError` for an invalid time and for an empty secret.
 */
export function signUrl(url: string, options: SigningOptions): string {
  const [sent = ''] = url.split('#', 1);
  const at = sent.indexOf('?');
  const [place, query] = at === -1 ? [sent, ''] : [sent.slice(0, at), sent.slice(at + 1)];
  return `${place}?${signQuery(query, options)}`;
}

/** The same for a query, without its question mark. */
export function signQuery(query: string, { secret, expires }: SigningOptions): string {
  if (!Number.isSafeInteger(expires) || expires < 0) throw new TypeError('"expires" must be a Unix time in whole seconds');
  const written = query.split('&').filter((part) => part !== '' && !isOfSignature(part));
  const unsigned = [...written, `expires=${String(expires)}`].join('&');
  const signature = createHmac('sha256', toKey(secret))
    .update(canonicalQuery(parseQuery(unsigned)))
    .digest('hex');
  return `${unsigned}&signature=${signature}`;
}

function isOfSignature(part: string): boolean {
  return parseQuery(part).some(([name]) => SIGNING_PARAMS.some((own) => own === name));
}
