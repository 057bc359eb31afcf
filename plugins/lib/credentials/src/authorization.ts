/** The parsed `Authorization` header (RFC 9110, 11.6.2). */
export interface Credential {
  /** In lower case: schemes are case-insensitive. Empty if the header is malformed, so that no scheme matches. */
  readonly scheme: string;
  readonly text: string;
}

const MALFORMED: Credential = { scheme: '', text: '' };

/** The credential of a request; undefined without such a header. Several such headers are rejected as ambiguous. */
export function readCredential(header: string | readonly string[] | undefined): Credential | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string') return MALFORMED;
  const [, scheme, text] = /^([\w!#$%&'*+.^`|~-]+) +([\x21-\x7e]+)$/.exec(header) ?? [];
  return scheme === undefined || text === undefined ? MALFORMED : { scheme: scheme.toLowerCase(), text };
}
