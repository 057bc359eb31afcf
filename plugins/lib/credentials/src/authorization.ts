/** What an `Authorization` header says (RFC 9110, 11.6.2). */
export interface Credential {
  /** In lower case: schemes are case-insensitive. Empty where the header has another form, so that it fits none. */
  readonly scheme: string;
  readonly text: string;
}

const MALFORMED: Credential = { scheme: '', text: '' };

/** The credential of a request; undefined where it has no such header. Several of them are none that anybody should believe. */
export function readCredential(header: string | readonly string[] | undefined): Credential | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string') return MALFORMED;
  const [, scheme, text] = /^([\w!#$%&'*+.^`|~-]+) +([\x21-\x7e]+)$/.exec(header) ?? [];
  return scheme === undefined || text === undefined ? MALFORMED : { scheme: scheme.toLowerCase(), text };
}
